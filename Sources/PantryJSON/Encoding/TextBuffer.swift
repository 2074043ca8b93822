/// The UTF-8 of a document in the making, in memory reused from one document to the next.
///
/// Its owner frees it: ``deallocate()``.
struct TextBuffer {
  /// The number of bytes kept after a document: 1 MiB.
  private static let keptCapacity = 1 << 20

  private(set) var base: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init() {
    capacity = 4096
    base = .allocate(capacity: capacity)
  }

  /// Removes the text, and keeps its memory unless there is much of it.
  mutating func removeAll() {
    count = 0
    guard capacity > Self.keptCapacity else { return }
    base.deallocate()
    self = TextBuffer()
  }

  func deallocate() { base.deallocate() }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    base[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return }
    append(start, count: text.count)
  }

  @inline(__always)
  mutating func append(_ literal: StaticString) {
    append(literal.utf8Start, count: literal.utf8CodeUnitCount)
  }

  @inline(__always)
  private mutating func append(_ start: UnsafePointer<UInt8>, count added: Int) {
    reserve(added)
    (base + count).update(from: start, count: added)
    count += added
  }

  /// Appends the decimal digits of an integer of at most 64 bits, with its sign.
  @inline(__always)
  mutating func append<Value: FixedWidthInteger>(digitsOf value: Value) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digits: UInt64(truncatingIfNeeded: value.magnitude))
  }

  private mutating func append(digits magnitude: UInt64) {
    // The largest number of 64 bits has 20 digits.
    reserve(20)
    var length = 1
    var power: UInt64 = 10
    while length < 20, magnitude >= power {
      length += 1
      power = power &* 10
    }
    var rest = magnitude
    var position = count + length
    repeat {
      position -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      base[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while position > count
    count += length
  }

  /// Appends the content of a JSON string, with escapes where the standard needs them.
  @inline(__always)
  mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return }
    let special = ByteSearch.stringSpecial(in: start, from: 0, to: text.count)
    append(start, count: special)
    if special < text.count { append(escaping: start, from: special, to: text.count) }
  }

  private mutating func append(escaping text: UnsafePointer<UInt8>, from start: Int, to end: Int) {
    var position = start
    while position < end {
      append(escape: text[position])
      let next = ByteSearch.stringSpecial(in: text, from: position + 1, to: end)
      append(text + position + 1, count: next - position - 1)
      position = next
    }
  }

  /// Appends the escape of a quote, a backslash or a control character.
  private mutating func append(escape byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    case 0x08: append(UInt8(ascii: "b"))
    case 0x0C: append(UInt8(ascii: "f"))
    case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
    default:
      append(byte < 0x10 ? "u000" : "u001")
      append(HexDigit.character(of: byte & 0xF))
    }
  }

  @inline(__always)
  private mutating func reserve(_ added: Int) {
    if capacity - count < added { grow(by: added) }
  }

  @inline(never)
  private mutating func grow(by added: Int) {
    capacity = max(capacity * 2, count + added)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}
