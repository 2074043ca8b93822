struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  /// A single reference, since the standard library's box copies the container at each call.
  private let object: ObjectReader

  var codingPath: [any CodingKey] { object.path }
  var allKeys: [Key] { object.names.compactMap { Key(stringValue: $0) } }

  init(_ object: ObjectReader) {
    self.object = object
  }

  func contains(_ key: Key) -> Bool { object.find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { decoder.isNull(at: try value(key)) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try decoder.bool(at: value(key))
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try decoder.string(at: value(key))
  }

  @inline(__always)
  func decode<Value: FixedWidthInteger & Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value {
    try integer(key)
  }

  @inline(__always)
  func decode<Value: DecimalRoundable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value {
    try decoder.floatingPoint(type, at: value(key))
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.decode(type, at: value(key))
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try present(key).map { try decoder.bool(at: $0) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try present(key).map { try decoder.string(at: $0) }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try present(key).map { try decoder.decode(type, at: $0) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder.keyedContainer(type, at: value(key))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.unkeyedContainer(at: value(key))
  }

  func superDecoder() throws -> any Decoder { superDecoder(of: PathKey.super) }

  func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(of: key) }

  /// A missing member is a null to a super decoder, not an error.
  private func superDecoder(of key: some CodingKey) -> ValueDecoder {
    ValueDecoder(
      tape: decoder.tape, userInfo: decoder.userInfo, node: object.find(key) ?? Tape.absent,
      absentPath: object.path + [key])
  }

  @inline(__always)
  private var decoder: ValueDecoder { object.decoder }

  @inline(__always)
  func integer<Value: FixedWidthInteger & Decodable>(_ key: Key) throws -> Value {
    try decoder.integer(Value.self, at: value(key))
  }

  @inline(__always)
  func presentInteger<Value: FixedWidthInteger & Decodable>(_ key: Key) throws -> Value? {
    try present(key).map { try decoder.integer(Value.self, at: $0) }
  }

  @inline(__always)
  func presentFloatingPoint<Value: DecimalRoundable>(_ key: Key) throws -> Value? {
    try present(key).map { try decoder.floatingPoint(Value.self, at: $0) }
  }

  /// The node of a member's value.
  @inline(__always)
  private func value(_ key: Key) throws -> Int {
    guard let value = object.find(key) else { throw DecodingError.noMember(key, object.path) }
    return value
  }

  /// The node of a member's value, unless it is missing or null.
  @inline(__always)
  private func present(_ key: Key) -> Int? {
    guard let value = object.find(key), !decoder.isNull(at: value) else { return nil }
    return value
  }
}
