/// The `Encoder` passed to types, for one value.
///
/// It and the containers are as small as an existential's own memory, so that passing one allocates
/// nothing. They have no path: to a type that asks for it, Foundation's encoder answers.
struct ValueEncoder: Encoder {
  let output: RowOutput
  let place: RowOutput.Place

  var codingPath: [any CodingKey] { output.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { output.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    output.beginObject(place)
    return KeyedEncodingContainer(KeyedOutput(output: output, place: place))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    output.beginArray(place)
    return UnkeyedOutput(output: output, place: place)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() throws {
    try output.beginSingleValue(place)
    output.writeNull()
  }

  func encode(_ value: Bool) throws {
    try output.beginSingleValue(place)
    output.write(value)
  }

  func encode(_ value: String) throws {
    try output.beginSingleValue(place)
    output.write(value)
  }

  func encode(_ value: Double) throws {
    try output.beginSingleValue(place)
    try output.write(value)
  }

  func encode(_ value: Float) throws {
    try output.beginSingleValue(place)
    try output.write(value)
  }

  @inline(__always)
  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws {
    try output.beginSingleValue(place)
    output.write(value)
  }

  // The standard library prefers its defaults for these two to the function above.

  func encode(_ value: Int128) throws {
    try output.beginSingleValue(place)
    output.write(value)
  }

  func encode(_ value: UInt128) throws {
    try output.beginSingleValue(place)
    output.write(value)
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    try output.writeSingleValue(value, at: place)
  }
}

extension RowOutput {
  /// Puts the document in doubt: Foundation then answers with the path.
  var codingPath: [any CodingKey] {
    _ = deferToFoundation()
    return []
  }
}
