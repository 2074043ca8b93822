internal import FoundationEssentials

extension Tape {
  /// The value of a number as an integer; nil if it has none, or if only Foundation can find it.
  @inline(__always)
  func integer<Value: FixedWidthInteger>(_ type: Value.Type, of node: Node) -> Value? {
    guard node.kind == .integer else { return nil }
    let text = text(of: node)
    return text.count <= 18 ? Self.short(text) : Self.long(text)
  }

  /// The value of at most 18 digits, or of 17 after a minus sign, which fits into an `Int64`.
  @inline(__always)
  private static func short<Value: FixedWidthInteger>(_ text: UnsafeBufferPointer<UInt8>) -> Value?
  {
    let isNegative = text[0] == UInt8(ascii: "-")
    var magnitude: Int64 = 0
    for index in (isNegative ? 1 : 0)..<text.count {
      magnitude = magnitude &* 10 &+ Int64(text[index] &- UInt8(ascii: "0"))
    }
    return Value(exactly: isNegative ? -magnitude : magnitude)
  }

  private static func long<Value: FixedWidthInteger>(_ text: UnsafeBufferPointer<UInt8>) -> Value? {
    let isNegative = text[0] == UInt8(ascii: "-")
    if isNegative && !Value.isSigned { return nil }
    var value: Value = 0
    for index in (isNegative ? 1 : 0)..<text.count {
      let digit = Value(truncatingIfNeeded: text[index] &- UInt8(ascii: "0"))
      let (product, productOverflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflows) =
        isNegative
        ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      if productOverflows || sumOverflows { return nil }
      value = sum
    }
    return value
  }

  /// The value of a number, rounded correctly; nil if it is beyond exact arithmetic in 128 bits.
  @inline(__always)
  func floatingPoint<Value: DecimalRoundable>(_ type: Value.Type, of node: Node) -> Value? {
    guard let decimal = DecimalText(text(of: node)) else { return nil }
    return decimal.value(type)
  }

  /// Foundation's value for the text of a number; nil if Foundation refuses it.
  ///
  /// A number by itself is a valid document.
  @inline(never)
  func foundationNumber<Value: Decodable>(_ type: Value.Type, of node: Node) -> Value? {
    // On failure, Foundation decodes the whole document and throws the error.
    try? literals.decode(type, from: Data(text(of: node)))
  }
}
