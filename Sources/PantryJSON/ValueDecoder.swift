internal import FoundationEssentials

/// The `Decoder` passed to types.
///
/// Like Foundation's, one object serves all values of a document, one after the other: an object
/// for each value would cost more than decoding it. Only a super decoder is a separate object.
final class ValueDecoder: Decoder {
  let tape: Tape
  let userInfo: [CodingUserInfoKey: Any]
  /// The value being decoded.
  private(set) var node: Int
  private(set) var path: CodingPath

  var codingPath: [any CodingKey] { path.keys }

  init(
    tape: Tape, userInfo: [CodingUserInfoKey: Any], node: Int = Tape.root, path: CodingPath = .root
  ) {
    self.tape = tape
    self.userInfo = userInfo
    self.node = node
    self.path = path
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try keyedContainer(type, at: node, path: path)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try unkeyedContainer(at: node, path: path)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func keyedContainer<Key: CodingKey>(
    _ type: Key.Type, at node: Int, path: CodingPath
  ) throws -> KeyedDecodingContainer<Key> {
    switch tape[node].kind {
    case .object, .unusualObject:
      return KeyedDecodingContainer(
        KeyedContainer(try ObjectReader(decoder: self, node: node, path: path)))
    case .null: throw DecodingError.noContainer("keyed", [String: Any].self, path)
    case let kind: throw DecodingError.mismatch([String: Any].self, kind, path)
    }
  }

  func unkeyedContainer(at node: Int, path: CodingPath) throws -> UnkeyedContainer {
    switch tape[node].kind {
    case .array: return UnkeyedContainer(decoder: self, node: node, path: path)
    case .null: throw DecodingError.noContainer("unkeyed", [Any].self, path)
    case let kind: throw DecodingError.mismatch([Any].self, kind, path)
    }
  }

  /// Decodes the value at `node` with its type's own initializer.
  @inline(__always)
  func initialize<Value: Decodable>(
    _ type: Value.Type, at node: Int, path: CodingPath
  ) throws -> Value {
    var (node, path) = (node, path)
    exchange(&node, &path)
    defer { exchange(&node, &path) }
    return try type.init(from: self)
  }

  /// Swaps instead of copying, which would retain and release the path's key and link.
  @inline(__always)
  private func exchange(_ node: inout Int, _ path: inout CodingPath) {
    swap(&self.node, &node)
    swap(&self.path, &path)
  }

  /// Decodes the value at `node`, whose path is `path`.
  @inline(__always)
  func decode<Value: Decodable>(
    _ type: Value.Type, at node: Int, path: @autoclosure () -> CodingPath
  ) throws -> Value {
    if let builtIn = BuiltInType(type) {
      return try decode(builtIn, as: type, at: node, path: path())
    }
    return try initialize(type, at: node, path: path())
  }
}
