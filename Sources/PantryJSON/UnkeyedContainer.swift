/// The elements of an array, one after the other.
struct UnkeyedContainer: UnkeyedDecodingContainer {
  private let decoder: ValueDecoder
  private let node: Int
  private let elementCount: Int
  /// The node of the next element, if there is one.
  private var next: Int
  private(set) var currentIndex = 0

  var codingPath: [any CodingKey] { decoder.path(of: node) }
  var count: Int? { elementCount }
  var isAtEnd: Bool { currentIndex >= elementCount }

  init(decoder: ValueDecoder, node: Int) {
    self.decoder = decoder
    self.node = node
    elementCount = Int(decoder.tape[node].length)
    next = node + 1
  }

  mutating func decodeNil() throws -> Bool {
    try requireElement(for: Never.self)
    guard decoder.isNull(at: next) else { return false }
    advance()
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try take(type) { try $0.bool(at: $1) }
  }

  mutating func decode(_ type: String.Type) throws -> String {
    try take(type) { try $0.string(at: $1) }
  }

  @inline(__always)
  mutating func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    try integer()
  }

  @inline(__always)
  mutating func decode<Value: DecimalRoundable>(_ type: Value.Type) throws -> Value {
    try take(type) { try $0.floatingPoint(type, at: $1) }
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try take(type) { try $0.decode(type, at: $1) }
  }

  mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? {
    try takePresent { try $0.bool(at: $1) }
  }

  mutating func decodeIfPresent(_ type: String.Type) throws -> String? {
    try takePresent { try $0.string(at: $1) }
  }

  mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    try takePresent { try $0.decode(type, at: $1) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try take(KeyedDecodingContainer<Nested>.self) {
      try $0.keyedContainer(type, at: $1)
    }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try take((any UnkeyedDecodingContainer).self) {
      try $0.unkeyedContainer(at: $1)
    }
  }

  mutating func superDecoder() throws -> any Decoder {
    try take((any Decoder).self, atEnd: "Cannot get superDecoder() -- unkeyed container is at end.")
    {
      ValueDecoder(tape: $0.tape, userInfo: $0.userInfo, node: $1)
    }
  }

  @inline(__always)
  mutating func integer<Value: FixedWidthInteger & Decodable>() throws -> Value {
    try take(Value.self) { try $0.integer(Value.self, at: $1) }
  }

  @inline(__always)
  mutating func presentInteger<Value: FixedWidthInteger & Decodable>() throws -> Value? {
    try takePresent { try $0.integer(Value.self, at: $1) }
  }

  @inline(__always)
  mutating func presentFloatingPoint<Value: DecimalRoundable>() throws -> Value? {
    try takePresent { try $0.floatingPoint(Value.self, at: $1) }
  }

  @inline(__always)
  private func requireElement(
    for type: any Any.Type, atEnd words: String = "Unkeyed container is at end."
  ) throws {
    if isAtEnd {
      throw DecodingError.atEnd(type, words, codingPath + [PathKey(index: currentIndex)])
    }
  }

  /// Moves past the next element, or past the end.
  @inline(__always)
  private mutating func advance() {
    if !isAtEnd { next = Int(decoder.tape[next].next) }
    currentIndex += 1
  }

  /// Decodes the next element, and on success moves past it.
  @inline(__always)
  private mutating func take<Result>(
    _ type: any Any.Type, atEnd words: String = "Unkeyed container is at end.",
    _ decode: (ValueDecoder, _ node: Int) throws -> Result
  ) throws -> Result {
    try requireElement(for: type, atEnd: words)
    let result = try decode(decoder, next)
    advance()
    return result
  }

  /// Decodes the next element unless it is null or there is none, and moves past it.
  @inline(__always)
  private mutating func takePresent<Result>(
    _ decode: (ValueDecoder, _ node: Int) throws -> Result
  ) throws -> Result? {
    let result = isAtEnd || decoder.isNull(at: next) ? nil : try decode(decoder, next)
    advance()
    return result
  }
}
