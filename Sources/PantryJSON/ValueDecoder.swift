internal import FoundationEssentials

/// The `Decoder` passed to types.
///
/// Like Foundation's, one object serves all values of a document, one after the other: an object
/// for each value would cost more than decoding it. Only a super decoder is a separate object.
final class ValueDecoder: Decoder {
  let tape: Tape
  let userInfo: [CodingUserInfoKey: Any]
  private(set) var node: Int
  /// The path of an absent value, which a super decoder may stand for.
  private let absentPath: [any CodingKey]

  var codingPath: [any CodingKey] { path(of: node) }

  init(
    tape: Tape, userInfo: [CodingUserInfoKey: Any], node: Int = Tape.root,
    absentPath: [any CodingKey] = []
  ) {
    self.tape = tape
    self.userInfo = userInfo
    self.node = node
    self.absentPath = absentPath
  }

  func path(of node: Int) -> [any CodingKey] {
    node == Tape.absent ? absentPath : tape.path(of: node)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try keyedContainer(type, at: node)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try unkeyedContainer(at: node)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func keyedContainer<Key: CodingKey>(
    _ type: Key.Type, at node: Int
  ) throws -> KeyedDecodingContainer<Key> {
    switch tape[node].kind {
    case .object, .unusualObject:
      return KeyedDecodingContainer(
        KeyedContainer(try ObjectReader(decoder: self, node: node)))
    case .null: throw DecodingError.noContainer("keyed", [String: Any].self, path(of: node))
    case let kind: throw DecodingError.mismatch([String: Any].self, kind, path(of: node))
    }
  }

  func unkeyedContainer(at node: Int) throws -> UnkeyedContainer {
    _ = try elementCount(at: node)
    return UnkeyedContainer(decoder: self, node: node)
  }

  /// The number of elements of the array at `node`.
  func elementCount(at node: Int) throws -> Int {
    switch tape[node].kind {
    case .array: return Int(tape[node].length)
    case .null: throw DecodingError.noContainer("unkeyed", [Any].self, path(of: node))
    case let kind: throw DecodingError.mismatch([Any].self, kind, path(of: node))
    }
  }

  /// Decodes the value at `node` with its type's own initializer.
  @inline(__always)
  func initialize<Value: Decodable>(_ type: Value.Type, at node: Int) throws -> Value {
    let former = self.node
    self.node = node
    defer { self.node = former }
    return try type.init(from: self)
  }

  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type, at node: Int) throws -> Value {
    if let builtIn = BuiltInType(type) { return try decode(builtIn, as: type, at: node) }
    if let array = tape.arrayTypes.array(type) {
      return try array.decode(as: type, at: node, by: self)
    }
    return try initialize(type, at: node)
  }
}
