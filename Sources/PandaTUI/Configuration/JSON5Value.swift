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

  /// Decodes a string, a number, true or false.
  ///
  /// Nil if the type differs or the text is malformed.
  func decoded<Value: Decodable>(as type: Value.Type) -> Value? {
    switch content {
    case .object, .array: nil
    case .string(let text), .word(let text): Self.decoded(text, as: type)
    }
  }

  /// Decodes a value from its written form.
  static func decoded<Value: Decodable>(_ text: String, as type: Value.Type) -> Value? {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    // With a line end, which ends a number: Foundation reads a long one past the end of the text,
    // and traps if more digits happen to be there.
    // The caller knows what was expected, and reports it better than this error.
    return try? decoder.decode(type, from: Data("\(text)\n".utf8))  // see above
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

/// A syntax error in a JSON5 text.
struct JSON5SyntaxError: Error, Hashable, Sendable {
  /// The line on which parsing failed, counted from 1.
  let line: Int
  /// The error, without a period.
  let reason: String
}
