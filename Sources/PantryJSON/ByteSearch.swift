/// Finds bytes eight at a time.
///
/// A byte of `word &- 0x01…` has its highest bit set where the byte was zero, at least up to the
/// first such byte: Anderson, "Bit Twiddling Hacks", "Determine if a word has a zero byte".
enum ByteSearch {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Returns the first quote, backslash or control character from `start`; otherwise `end`.
  @inline(__always)
  static func stringSpecial(in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while position + 8 <= end {
      let word = load(bytes + position)
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let found =
        ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash
          | (word &- ones &* 0x20) & ~word) & highBits
      if found != 0 { return position + found.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < end {
      let byte = bytes[position]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      position += 1
    }
    return position
  }

  /// Returns the first backslash from `start`; otherwise `end`.
  @inline(__always)
  static func backslash(in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while position + 8 <= end {
      let word = load(bytes + position) ^ (ones &* 0x5C)
      let found = (word &- ones) & ~word & highBits
      if found != 0 { return position + found.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < end, bytes[position] != UInt8(ascii: "\\") { position += 1 }
    return position
  }

  @inline(__always)
  private static func load(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }
}

enum HexDigit {
  /// Returns the ASCII digit of a value below 16.
  static func character(of value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// Returns the value of an ASCII digit; nil for other bytes.
  @inline(__always)
  static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
