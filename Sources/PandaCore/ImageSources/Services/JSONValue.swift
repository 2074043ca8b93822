internal import FoundationEssentials

/// A JSON value, for replies whose shape is known only at run time.
package indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The members of an object; nil for anything else.
  package var members: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements of an array; nil for anything else.
  package var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The text of a string; nil for anything else.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// An integer in range; nil for anything else.
  package var integer: Int? {
    if case .number(let number) = self { Int(exactly: number) } else { nil }
  }

  /// A Boolean; nil for anything else.
  package var flag: Bool? {
    if case .bool(let flag) = self { flag } else { nil }
  }
}

extension JSONValue: Decodable {
  /// Decodes any value, trying the most common types first.
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    // A type mismatch is an error, on which the next type is tried.
    if let text = try? value.decode(String.self) {  // see above
      self = .string(text)
    } else if value.decodeNil() {
      self = .null
    } else if let number = try? value.decode(Double.self) {  // see above
      self = .number(number)
    } else if let flag = try? value.decode(Bool.self) {  // see above
      self = .bool(flag)
    } else if let object = try? decoder.container(keyedBy: AnyKey.self) {  // see above
      var members: [String: JSONValue] = [:]
      for key in object.allKeys {
        members[key.stringValue] = try object.decode(Self.self, forKey: key)
      }
      self = .object(members)
    } else if var array = try? decoder.unkeyedContainer() {  // see above
      var elements: [JSONValue] = []
      while !array.isAtEnd { elements.append(try array.decode(Self.self)) }
      self = .array(elements)
    } else {
      // A number outside the range of Double, such as 1e400, counts as missing.
      self = .null
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }
}
