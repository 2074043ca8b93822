/// A path to a value in JSON (RFC 6901), from its root or relative to another value.
///
/// A pointer that begins with a number is relative (draft-bhutton-relative-json-pointer): `2/uri`
/// goes up two levels and from there to `uri`. Index offsets in an array (`0+1`) and keys (`0#`)
/// are not supported.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// The pointer as written.
  package let description: String

  private let levels: Int
  private let tokens: [String]

  static let limits = (characters: 300, levels: 32)

  package init?(_ text: String) {
    guard text.count <= Self.limits.characters else { return nil }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let rest = text[digits.endIndex...]
    guard rest.isEmpty || rest.hasPrefix("/") else { return nil }
    guard digits.count <= 2, digits.count < 2 || !digits.hasPrefix("0") else { return nil }
    levels = Int(digits) ?? 0
    var tokens: [String] = []
    for token in rest.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let token = Self.unescaped(token) else { return nil }
      tokens.append(token)
    }
    guard tokens.count <= Self.limits.levels else { return nil }
    self.tokens = tokens
    description = text
  }

  /// Replaces `~1` by `/` and `~0` by `~`; nil if another character follows a `~`.
  private static func unescaped(_ token: Substring) -> String? {
    guard token.contains("~") else { return String(token) }
    var result = ""
    var rest = token
    while let character = rest.popFirst() {
      guard character == "~" else {
        result.append(character)
        continue
      }
      switch rest.popFirst() {
      case "0": result.append("~")
      case "1": result.append("/")
      default: return nil
      }
    }
    return result
  }

  /// Resolves the pointer, starting at `place`; nil if there is nothing.
  func resolve(at place: JSONPosition) -> JSONPosition? {
    guard var found = place.ancestor(levels) else { return nil }
    for token in tokens {
      guard let next = found.child(token) else { return nil }
      found = next
    }
    return found
  }
}

/// A value in a JSON document, with its ancestors.
struct JSONPosition {
  let value: JSONValue
  /// The enclosing values, from the root.
  private let ancestors: [JSONValue]

  init(root: JSONValue) {
    value = root
    ancestors = []
  }

  private init(_ value: JSONValue, in ancestors: [JSONValue]) {
    self.value = value
    self.ancestors = ancestors
  }

  /// Returns the value `levels` levels up; nil above the root.
  func ancestor(_ levels: Int) -> JSONPosition? {
    guard levels > 0 else { return self }
    guard levels <= ancestors.count else { return nil }
    let index = ancestors.count - levels
    return JSONPosition(ancestors[index], in: Array(ancestors[..<index]))
  }

  /// Returns the member or element with a token's name or index.
  func child(_ token: String) -> JSONPosition? {
    switch value.content {
    case .object(let members): members[token].map { JSONPosition($0, in: ancestors + [value]) }
    case .list(let elements):
      Self.index(token).flatMap { index in
        elements.indices.contains(index)
          ? JSONPosition(elements[index], in: ancestors + [value]) : nil
      }
    default: nil
    }
  }

  /// All elements of an array, or all members of an object sorted by name.
  var children: [JSONPosition] {
    let values: [JSONValue] =
      switch value.content {
      case .list(let elements): elements
      case .object(let members): members.sorted { $0.key < $1.key }.map(\.value)
      default: []
      }
    let path = ancestors + [value]
    return values.map { JSONPosition($0, in: path) }
  }

  /// Parses an index, which has no leading zeros (RFC 6901, 4).
  private static func index(_ token: String) -> Int? {
    guard token == "0" || !token.hasPrefix("0"), token.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return nil }
    return Int(token)
  }
}
