extension TapeScanner {
  /// Reads a string after its opening quote.
  mutating func appendString() -> Bool {
    let start = position
    var kind = Node.Kind.string
    while true {
      position = ByteSearch.stringSpecial(in: bytes, from: position, to: end)
      guard position < end else { return false }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        append(kind, at: start, length: position - start)
        position += 1
        return true
      case UInt8(ascii: "\\"):
        kind = .escapedString
        guard skipEscape() else { return false }
      default: return false
      }
    }
  }

  /// Skips a backslash and the escaped character.
  private mutating func skipEscape() -> Bool {
    guard position + 1 < end else { return false }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
      return true
    case UInt8(ascii: "u"):
      guard position + 6 <= end else { return false }
      for offset in 2..<6 where HexDigit.value(of: bytes[position + offset]) == nil {
        return false
      }
      position += 6
      return true
    default: return false
    }
  }

  /// Reads a number: RFC 8259, section 6.
  mutating func appendNumber() -> Bool {
    let start = position
    var kind = Node.Kind.integer
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") {
      position += 1
    } else {
      guard skipDigits() else { return false }
    }
    if current == UInt8(ascii: ".") {
      kind = .decimal
      position += 1
      guard skipDigits() else { return false }
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      kind = .decimal
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      guard skipDigits() else { return false }
    }
    append(kind, at: start, length: position - start)
    return true
  }

  /// Skips digits; false if there are none.
  @inline(__always)
  private mutating func skipDigits() -> Bool {
    let start = position
    while position < end, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position > start
  }

  /// The next byte; NUL at the end, which no rule of JSON expects.
  @inline(__always)
  private var current: UInt8 { position < end ? bytes[position] : 0 }

  /// Reads `true`, `false` or `null`.
  @inline(__always)
  mutating func appendLiteral(_ literal: StaticString, _ kind: Node.Kind) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard position + length <= end else { return false }
    for index in 0..<length where bytes[position + index] != literal.utf8Start[index] {
      return false
    }
    append(kind, at: position, length: length)
    position += length
    return true
  }
}
