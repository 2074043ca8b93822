/// The names of the members of all open objects, as hashes.
///
/// Foundation's encoder keeps the last of several members with equal names, so their encoding is
/// left to it. Names are equal if their bytes are: Foundation would lose a member of those that are
/// equal strings, such as "é" in one scalar and in two.
struct MemberNames {
  /// The largest number of names that are compared pair by pair.
  private static let pairLimit = 24

  private(set) var count = 0
  private var capacity = 64
  private var hashes: UnsafeMutablePointer<UInt64>

  init() { hashes = .allocate(capacity: capacity) }

  func deallocate() { hashes.deallocate() }

  /// Adds the name that was written to the end of `text`, from `start`.
  @inline(__always)
  mutating func append(_ text: TextBuffer, from start: Int) {
    if count == capacity { grow() }
    hashes[count] = Self.hash(text, from: start)
    count += 1
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

  mutating func removeAll() { count = 0 }

  @inline(never)
  private mutating func grow() {
    capacity *= 2
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
    larger.update(from: hashes, count: count)
    hashes.deallocate()
    hashes = larger
  }

  /// Hashes the text from `start`, eight bytes at a time.
  @inline(__always)
  private static func hash(_ text: TextBuffer, from start: Int) -> UInt64 {
    let bytes = UnsafeRawPointer(text.base)
    var position = start
    var hash = UInt64(truncatingIfNeeded: text.count - start)
    while position + 8 <= text.count {
      let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      hash = mix(hash, word)
      position += 8
    }
    var rest: UInt64 = 0
    while position < text.count {
      rest = rest &<< 8 | UInt64(text.base[position])
      position += 1
    }
    return mix(hash, rest)
  }

  /// Mixes by a full multiplication, as in wyhash (Wang Yi).
  @inline(__always)
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(
      by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
  }
}
