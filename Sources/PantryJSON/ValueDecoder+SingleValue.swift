extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { isNull(at: node) }

  func decode(_ type: Bool.Type) throws -> Bool { try bool(at: node) }

  func decode(_ type: String.Type) throws -> String { try string(at: node) }

  @inline(__always)
  func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    try integer(type, at: node)
  }

  // The standard library prefers its defaults for these two to the function above.

  func decode(_ type: Int128.Type) throws -> Int128 { try integer(type, at: node) }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type, at: node) }

  @inline(__always)
  func decode<Value: DecimalRoundable>(_ type: Value.Type) throws -> Value {
    try floatingPoint(type, at: node)
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decode(type, at: node)
  }
}
