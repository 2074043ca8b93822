package import FoundationEssentials

/// A JSON value, and the line on which it begins.
///
/// Two values are equal wherever they were written.
package struct JSONValue: Sendable {
  package indirect enum Content: Equatable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])
    /// Text that is not a value, as written, such as a misspelled `true`.
    case invalid(String)
  }

  package let content: Content
  /// Counted from 1; 0 in a value that was not read from a text.
  package let line: Int

  package init(_ content: Content, line: Int = 0) {
    self.content = content
    self.line = line
  }

  /// Reads a document in UTF-8, all of whose words are values.
  ///
  /// - Throws: `JSONError`.
  package init(_ document: Data) throws(JSONError) {
    guard let text = String(validating: document, as: UTF8.self) else {
      throw JSONError(line: 1, reason: "it is not text in UTF-8")
    }
    var scanner = JSONScanner(text)
    guard let value = try scanner.scan() else {
      throw JSONError(line: 1, reason: "it is empty")
    }
    self = value
  }

  /// The members of an object; nil for anything else.
  package var members: [String: JSONValue]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// The elements of a list; nil for anything else.
  package var elements: [JSONValue]? {
    if case .list(let elements) = content { elements } else { nil }
  }

  /// The text of a string; nil for anything else.
  package var text: String? {
    if case .text(let text) = content { text } else { nil }
  }

  /// An integer in range; nil for anything else.
  package var integer: Int? {
    if case .number(let number) = content { Int(exactly: number) } else { nil }
  }

  /// A Boolean; nil for anything else.
  package var flag: Bool? {
    if case .flag(let flag) = content { flag } else { nil }
  }

  /// The texts of a list that has nothing else; nil for anything else.
  package var texts: [String]? {
    elements.flatMap { elements in
      let texts = elements.compactMap(\.text)
      return texts.count == elements.count ? texts : nil
    }
  }

  /// Returns the member of an object that must have it.
  ///
  /// - Throws: `JSONError` if it is missing or of another type.
  package func member<Value>(
    _ name: String, as value: (JSONValue) -> Value?
  ) throws(JSONError) -> Value {
    guard let members else { throw JSONError(line: line, reason: "it has the wrong type") }
    guard let member = members[name] else {
      throw JSONError(line: line, reason: "\(name) is missing")
    }
    guard let value = value(member) else {
      throw JSONError(line: member.line, reason: "\(name) has the wrong type")
    }
    return value
  }

  /// Returns the member of an object; nil if it is absent or null.
  ///
  /// - Throws: `JSONError` if it is of another type.
  package func optionalMember<Value>(
    _ name: String, as value: (JSONValue) -> Value?
  ) throws(JSONError) -> Value? {
    guard let member = members?[name], !member.isNull else { return nil }
    return try self.member(name, as: value)
  }

  package var isNull: Bool { content == .null }
}

extension JSONValue: Equatable {
  package static func == (value: Self, other: Self) -> Bool { value.content == other.content }
}

/// What is wrong with a text that should be JSON, or lacks what its reader needs.
package struct JSONError: Error, Hashable, Sendable {
  /// Counted from 1.
  package let line: Int
  /// The error, without a period.
  package let reason: String
}
