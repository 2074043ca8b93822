/// The elements of an array that is being written.
struct UnkeyedOutput: UnkeyedEncodingContainer {
  let output: RowOutput
  let place: RowOutput.Place

  var codingPath: [any CodingKey] { output.codingPath }
  var count: Int { output.count(of: place) }

  func encodeNil() throws {
    try output.beginElement(of: place)
    output.writeNull()
  }

  func encode(_ value: Bool) throws {
    try output.beginElement(of: place)
    output.write(value)
  }

  func encode(_ value: String) throws {
    try output.beginElement(of: place)
    output.write(value)
  }

  func encode(_ value: Double) throws {
    try output.beginElement(of: place)
    try output.write(value)
  }

  func encode(_ value: Float) throws {
    try output.beginElement(of: place)
    try output.write(value)
  }

  @inline(__always)
  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws {
    try output.beginElement(of: place)
    output.write(value)
  }

  // The standard library prefers its defaults for these two to the function above.

  func encode(_ value: Int128) throws {
    try output.beginElement(of: place)
    output.write(value)
  }

  func encode(_ value: UInt128) throws {
    try output.beginElement(of: place)
    output.write(value)
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    try output.beginElement(of: place)
    try output.writeValue(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    let nested = open { output.openObject() }
    return KeyedEncodingContainer(KeyedOutput<Nested>(output: output, place: nested))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedOutput(output: output, place: open { output.openArray() })
  }

  /// Puts the document in doubt: Foundation's super encoder becomes an element when it is freed.
  func superEncoder() -> any Encoder {
    _ = output.deferToFoundation()
    return ValueEncoder(output: output, place: .nowhere)
  }

  private func open(_ value: () -> RowOutput.Place) -> RowOutput.Place {
    do {
      try output.beginElement(of: place)
      return value()
    } catch {
      // The document is in doubt, and whatever is written there throws.
      return .nowhere
    }
  }
}
