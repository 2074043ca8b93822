/// The members of an object that is being written.
struct KeyedOutput<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let output: RowOutput
  let place: RowOutput.Place

  var codingPath: [any CodingKey] { output.codingPath }

  func encodeNil(forKey key: Key) throws {
    try output.beginMember(key, of: place)
    output.writeNull()
  }

  func encode(_ value: Bool, forKey key: Key) throws {
    try output.beginMember(key, of: place)
    output.write(value)
  }

  func encode(_ value: String, forKey key: Key) throws {
    try output.beginMember(key, of: place)
    output.write(value)
  }

  func encode(_ value: Double, forKey key: Key) throws {
    try output.beginMember(key, of: place)
    try output.write(value)
  }

  func encode(_ value: Float, forKey key: Key) throws {
    try output.beginMember(key, of: place)
    try output.write(value)
  }

  @inline(__always)
  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value, forKey key: Key) throws {
    try output.beginMember(key, of: place)
    output.write(value)
  }

  // The standard library prefers its defaults for these two to the function above.

  func encode(_ value: Int128, forKey key: Key) throws {
    try output.beginMember(key, of: place)
    output.write(value)
  }

  func encode(_ value: UInt128, forKey key: Key) throws {
    try output.beginMember(key, of: place)
    output.write(value)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try output.beginMember(key, of: place)
    try output.writeValue(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let nested = open(key) { output.openObject() }
    return KeyedEncodingContainer(KeyedOutput<Nested>(output: output, place: nested))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    UnkeyedOutput(output: output, place: open(key) { output.openArray() })
  }

  func superEncoder() -> any Encoder { superEncoder(of: PathKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(of: key) }

  private func superEncoder(of key: some CodingKey) -> ValueEncoder {
    ValueEncoder(output: output, place: open(key) { output.open() })
  }

  private func open(
    _ key: some CodingKey, _ value: () -> RowOutput.Place
  ) -> RowOutput.Place {
    do {
      try output.beginMember(key, of: place)
      return value()
    } catch {
      // The document is in doubt, and whatever is written there throws.
      return .nowhere
    }
  }
}
