internal import FoundationEssentials

/// A value of a JSON5 text, and the line that it begins on.
struct JSON5Value: Hashable, Sendable {
  /// Counted from 1.
  let line: Int
  let content: Content

  indirect enum Content: Hashable, Sendable {
    case object([JSON5Member])
    case array([JSON5Value])
    /// A string as it is written, with its quotes.
    case string(String)
    /// Anything else as it is written: a number, true, false, null, or what is none of them.
    case word(String)
  }

  /// The value of a string, a number, true or false; nil when it is of another type, or when it is
  /// not well formed.
  func decoded<Value: Decodable>(as type: Value.Type) -> Value? {
    switch content {
    case .object, .array: nil
    case .string(let text), .word(let text): Self.decoded(text, as: type)
    }
  }

  /// Reads what is written in a text.
  static func decoded<Value: Decodable>(_ text: String, as type: Value.Type) -> Value? {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    // Whoever asks knows what was expected, and says so better than the error.
    return try? decoder.decode(type, from: Data(text.utf8))  // see above
  }

  /// Whether it is null, which sets nothing.
  var isNull: Bool { content == .word("null") }
}

/// A name and its value in a JSON5 object.
struct JSON5Member: Hashable, Sendable {
  let name: String
  /// The line of the name, counted from 1.
  let line: Int
  let value: JSON5Value
}

/// Why a text is not JSON5.
struct JSON5SyntaxError: Error, Hashable, Sendable {
  /// Where the reading could not go on, counted from 1.
  let line: Int
  /// What is wrong there, without a full stop.
  let reason: String
}
