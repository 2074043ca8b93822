/// The names of the members of all open objects, as hashes.
///
/// Foundation's encoder keeps the last of several members with equal names, so their encoding is
/// left to it. Names are equal like Swift's strings: "é" in one scalar equals "é" in two.
struct MemberNames {
  /// The largest number of names that are compared pair by pair.
  private static let pairLimit = 24

  private(set) var count = 0
  private var capacity = 64
  private var hashes: UnsafeMutablePointer<UInt64>

  init() { hashes = .allocate(capacity: capacity) }

  func deallocate() { hashes.deallocate() }

  /// Adds `name`, which was written to the end of `text`, from `start`.
  ///
  /// - Returns: false if an ASCII name may be equal to it.
  mutating func append(_ name: String, in text: TextBuffer, from start: Int) -> Bool {
    if let hash = Self.hash(ofASCII: text, from: start) {
      append(hash)
      return true
    }
    // A string's own hash is the same for all equal strings.
    append(UInt64(truncatingIfNeeded: name.hashValue))
    return !name.unicodeScalars.contains(where: Self.isEquivalentToASCII)
  }

  /// Removes the names after the first `start`: those of an object that ends.
  ///
  /// - Returns: whether all of them are different. Rarely false if they are.
  mutating func end(from start: Int) -> Bool {
    var names = UnsafeMutableBufferPointer(start: hashes + start, count: count - start)
    count = start
    guard names.count > Self.pairLimit else {
      for (index, hash) in names.enumerated() {
        for other in 0..<index where names[other] == hash { return false }
      }
      return true
    }
    names.sort()
    return !zip(names, names.dropFirst()).contains { $0 == $1 }
  }

  /// Removes all names.
  mutating func removeAll() { count = 0 }

  /// Whether a scalar beyond ASCII is canonically equivalent to one of ASCII.
  ///
  /// The Greek question mark equals a semicolon, varia a grave accent, and the Kelvin sign a K. New
  /// versions of Unicode add no others (unicode.org/policies/stability_policy.html).
  static func isEquivalentToASCII(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{37E}" || scalar == "\u{1FEF}" || scalar == "\u{212A}"
  }

  @inline(__always)
  private mutating func append(_ hash: UInt64) {
    if count == capacity { grow() }
    hashes[count] = hash
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    capacity *= 2
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
    larger.update(from: hashes, count: count)
    hashes.deallocate()
    hashes = larger
  }

  /// Hashes the text from `start`, eight bytes at a time; nil if it is not ASCII.
  @inline(__always)
  private static func hash(ofASCII text: TextBuffer, from start: Int) -> UInt64? {
    let bytes = UnsafeRawPointer(text.base)
    var position = start
    var hash = UInt64(truncatingIfNeeded: text.count - start)
    var all: UInt64 = 0
    while position + 8 <= text.count {
      let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      all |= word
      hash = mix(hash, word)
      position += 8
    }
    var rest: UInt64 = 0
    while position < text.count {
      rest = rest &<< 8 | UInt64(text.base[position])
      position += 1
    }
    all |= rest
    return all & 0x8080_8080_8080_8080 == 0 ? mix(hash, rest) : nil
  }

  /// Mixes by a full multiplication, as in wyhash (Wang Yi).
  @inline(__always)
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(
      by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
  }
}
