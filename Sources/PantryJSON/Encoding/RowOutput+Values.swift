extension RowOutput {
  @inline(__always)
  func writeValue<Value: Encodable>(_ value: Value) throws {
    if let builtIn = BuiltInType(Value.self) {
      try write(builtIn, value)
    } else {
      try encodeNext(value)
    }
  }

  @inline(__always)
  func writeSingleValue<Value: Encodable>(_ value: Value, at place: Place) throws {
    if let builtIn = BuiltInType(Value.self) {
      try beginSingleValue(place)
      try write(builtIn, value)
    } else {
      try encodeSingle(value, at: place)
    }
  }

  func writeNull() { text.pointee.append("null") }

  func write(_ value: Bool) { text.pointee.append(value ? "true" : "false") }

  func write(_ value: String) {
    text.pointee.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { text.pointee.append(escaping: $0) }
    text.pointee.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  func write<Value: FixedWidthInteger>(_ value: Value) {
    if Value.bitWidth <= 64 {
      text.pointee.append(digitsOf: value)
    } else {
      write(verbatim: value.description)
    }
  }

  func write(_ value: Double) throws {
    guard value.isFinite else { throw deferToFoundation() }
    // Up to here, an integer has all digits in its description, too.
    if value.magnitude < 0x1p53, let integer = Int64(exactly: value), integer != 0 {
      text.pointee.append(digitsOf: integer)
    } else {
      write(number: value.description)
    }
  }

  func write(_ value: Float) throws {
    guard value.isFinite else { throw deferToFoundation() }
    write(number: value.description)
  }

  /// Writes the description of a floating-point number, as Foundation does: 1 rather than 1.0.
  private func write(number description: String) {
    var description = description
    description.withUTF8 { digits in
      let end = digits.count - 2
      let isWhole =
        end > 0 && digits[end] == UInt8(ascii: ".") && digits[end + 1] == UInt8(ascii: "0")
      text.pointee.append(UnsafeBufferPointer(rebasing: digits[..<(isWhole ? end : end + 2)]))
    }
  }

  /// Writes what needs no escapes.
  func write(verbatim value: String) {
    var value = value
    value.withUTF8 { text.pointee.append($0) }
  }
}
