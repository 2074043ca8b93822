extension Tape {
  /// The value of a string; nil if its UTF-8 or a surrogate in it is invalid.
  @inline(__always)
  func string(of node: Node) -> String? {
    node.kind == .string
      ? Self.string(text(of: node)) : unescapedString(of: node)
  }

  /// `String(validating:as:)` does the same, generically and therefore more slowly.
  @inline(__always)
  private static func string(_ utf8: UnsafeBufferPointer<UInt8>) -> String? {
    // The error says only where it is invalid.
    guard let valid = try? UTF8Span(validating: utf8.span) else { return nil }
    return String(copying: valid)
  }

  /// An unescaped string is never longer than its text: an escape of six bytes makes three at most.
  private func unescapedString(of node: Node) -> String? {
    let text = text(of: node)
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { buffer in
      guard let source = text.baseAddress, let target = buffer.baseAddress else { return nil }
      var position = 0
      var length = 0
      while position < text.count {
        let stop = ByteSearch.backslash(in: source, from: position, to: text.count)
        (target + length).update(from: source + position, count: stop - position)
        length += stop - position
        position = stop
        if position == text.count { break }
        guard
          let read = Self.unescape(source + position, end: source + text.count, to: target + length)
        else { return nil }
        position += read.source
        length += read.target
      }
      return Self.string(UnsafeBufferPointer(start: target, count: length))
    }
  }

  /// Writes the character of the escape at `source`, which the scanner has checked.
  ///
  /// - Returns: the numbers of bytes read and written; nil for a lone surrogate.
  private static func unescape(
    _ source: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>,
    to target: UnsafeMutablePointer<UInt8>
  ) -> (source: Int, target: Int)? {
    switch source[1] {
    case UInt8(ascii: "b"): target.pointee = 0x08
    case UInt8(ascii: "f"): target.pointee = 0x0C
    case UInt8(ascii: "n"): target.pointee = 0x0A
    case UInt8(ascii: "r"): target.pointee = 0x0D
    case UInt8(ascii: "t"): target.pointee = 0x09
    case UInt8(ascii: "u"):
      guard let first = codeUnit(at: source) else { return nil }
      if let scalar = Unicode.Scalar(first) {
        return (6, write(scalar, to: target))
      }
      guard first < 0xDC00, end - source >= 12, source[6] == UInt8(ascii: "\\"),
        source[7] == UInt8(ascii: "u"), let second = codeUnit(at: source + 6),
        (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      else { return nil }
      return (12, write(scalar, to: target))
    case let same: target.pointee = same
    }
    return (2, 1)
  }

  /// The code unit of `\u` and four digits.
  private static func codeUnit(at escape: UnsafePointer<UInt8>) -> UInt32? {
    var unit: UInt32 = 0
    for offset in 2..<6 {
      guard let digit = HexDigit.value(of: escape[offset]) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  private static func write(
    _ scalar: Unicode.Scalar, to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var length = 0
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
      target[length] = byte
      length += 1
    }
    return length
  }
}
