internal import FoundationEssentials

/// A value in a JSON5 text, and the line on which it begins.
struct JSON5Value: Hashable, Sendable {
  /// Counted from 1.
  let line: Int
  let content: Content

  indirect enum Content: Hashable, Sendable {
    case object([JSON5Member])
    case array([JSON5Value])
    /// A string as written, with its quotes.
    case string(String)
    /// Anything else as written: a number, true, false, null, or invalid text.
    case word(String)
  }

  /// The text of a string; nil if it is malformed, and for anything else.
  var text: String? {
    if case .string(let written) = content { Self.text(of: written) } else { nil }
  }

  static func text(of written: String) -> String? {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    // The caller knows what was expected, and reports it better than this error.
    return try? decoder.decode(String.self, from: Data(written.utf8))
  }

  /// The value of true or false; nil for anything else.
  var flag: Bool? {
    switch content {
    case .word("true"): true
    case .word("false"): false
    default: nil
    }
  }

  /// The value of a number that is an integer; nil for anything else.
  ///
  /// Not by Foundation, whose decoder of JSON5 traps on `0x0x` and on `1e+`.
  var integer: Int? {
    guard case .word(let word) = content else { return nil }
    let isNegative = word.hasPrefix("-")
    let digits = isNegative || word.hasPrefix("+") ? word.dropFirst() : word[...]
    let number: Int?
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      let hexadecimal = digits.dropFirst(2)
      number = hexadecimal.allSatisfy(\.isHexDigit) ? Int(hexadecimal, radix: 16) : nil
    } else {
      // A leading zero would be octal in JavaScript.
      let hasLeadingZero = digits.hasPrefix("0") && digits.dropFirst().first?.isNumber == true
      let isDecimal = digits.first?.isNumber == true || digits.hasPrefix(".")
      number =
        isDecimal && !hasLeadingZero && digits.allSatisfy { "0123456789.eE+-".contains($0) }
        ? Double(digits).flatMap { Int(exactly: $0) } : nil
    }
    return number.map { isNegative ? -$0 : $0 }
  }

  /// Whether it is null, which leaves the default.
  var isNull: Bool { content == .word("null") }
}

/// A name and its value in a JSON5 object.
struct JSON5Member: Hashable, Sendable {
  let name: String
  /// The line of the name, counted from 1.
  let line: Int
  let value: JSON5Value
}

struct JSON5SyntaxError: Error, Hashable, Sendable {
  /// The line on which parsing failed, counted from 1.
  let line: Int
  /// The error, without a period.
  let reason: String
}
