/// The errors that a type may catch, with the texts of Foundation's decoder.
///
/// An error that leaves a decode is always Foundation's own.
extension DecodingError {
  static func mismatch(_ type: any Any.Type, _ kind: Node.Kind, _ path: [any CodingKey]) -> Self {
    let words = "Expected to decode \(type) but found \(kind.phrase) instead."
    return .typeMismatch(type, Context(codingPath: path, debugDescription: words))
  }

  /// A null instead of a value.
  static func noValue(_ type: any Any.Type, _ path: [any CodingKey]) -> Self {
    let words = "Cannot get value of type \(type) -- found null value instead"
    return .valueNotFound(type, Context(codingPath: path, debugDescription: words))
  }

  /// A null, or a value of another kind than `type` needs.
  static func unexpected(_ kind: Node.Kind, _ type: any Any.Type, _ path: [any CodingKey]) -> Self {
    kind == .null ? noValue(type, path) : mismatch(type, kind, path)
  }

  /// A null instead of an object or array.
  static func noContainer(
    _ container: String, _ type: any Any.Type, _ path: [any CodingKey]
  ) -> Self {
    let words = "Cannot get \(container) decoding container -- found null value instead"
    return .valueNotFound(type, Context(codingPath: path, debugDescription: words))
  }

  static func noMember(_ key: some CodingKey, _ path: [any CodingKey]) -> Self {
    let words = "No value associated with key \(key) (\"\(key.stringValue)\")."
    return .keyNotFound(key, Context(codingPath: path, debugDescription: words))
  }

  /// No element left in an array.
  static func atEnd(_ type: any Any.Type, _ words: String, _ path: [any CodingKey]) -> Self {
    .valueNotFound(type, Context(codingPath: path, debugDescription: words))
  }

  /// A string without the form that its type needs.
  static func corrupted(_ words: String, _ path: [any CodingKey]) -> Self {
    .dataCorrupted(Context(codingPath: path, debugDescription: words))
  }
}
