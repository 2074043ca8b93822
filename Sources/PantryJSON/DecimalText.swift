/// A type whose values are rounded from decimals.
protocol DecimalRoundable: BinaryFloatingPoint, Decodable where Exponent == Int {
  init(_ integer: UInt64)
}

extension Float: DecimalRoundable {}
extension Double: DecimalRoundable {}

/// A parsed number of at most 19 significant digits and a small exponent.
///
/// Its value is computed exactly in integers of 128 bits and rounded once, to the nearest, ties to
/// even, as `strtod` does.
struct DecimalText {
  private var isNegative = false
  private var digits: UInt64 = 0
  /// The power of ten by which ``digits`` is multiplied.
  private var exponent = 0

  /// Parses the text of a number that the scanner accepted.
  ///
  /// Nil if it has more digits, or an exponent of more than three. Nil also for a zero with an
  /// exponent: Foundation refuses some, by their length.
  @inline(__always)
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    var index = 0
    if text[0] == UInt8(ascii: "-") {
      isNegative = true
      index = 1
    }
    var significant = 0
    var isFraction = false
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      if digit < 10 {
        digits = digits &* 10 &+ UInt64(digit)
        if digit != 0 || significant > 0 { significant += 1 }
        if isFraction { exponent -= 1 }
      } else if text[index] == UInt8(ascii: ".") {
        isFraction = true
      } else {
        guard significant > 0, let written = Self.exponent(text, from: index + 1) else {
          return nil
        }
        exponent += written
        break
      }
      index += 1
    }
    // Nineteen digits are less than 2^64. After one more, `digits` has no meaning.
    if significant > 19 { return nil }
  }

  /// The exponent after the letter e.
  private static func exponent(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let isSigned = text[start] == UInt8(ascii: "-") || text[start] == UInt8(ascii: "+")
    let first = isSigned ? start + 1 : start
    guard text.count - first <= 3 else { return nil }
    var value = 0
    for index in first..<text.count { value = value * 10 + Int(text[index] &- UInt8(ascii: "0")) }
    return text[start] == UInt8(ascii: "-") ? -value : value
  }

  /// Returns the number, rounded once; nil if its exponent is too large for exact arithmetic.
  @inline(__always)
  func value<Value: DecimalRoundable>(_ type: Value.Type) -> Value? {
    if exponent == 0 || digits == 0 {
      let magnitude = Value(digits)
      return isNegative ? -magnitude : magnitude
    }
    guard let magnitude = rounded(type) else { return nil }
    return isNegative ? -magnitude : magnitude
  }

  /// `digits * 10^exponent` by way of `digits * 5^exponent * 2^exponent`.
  private func rounded<Value: DecimalRoundable>(_ type: Value.Type) -> Value? {
    guard let five = PowerOfFive.value(Int(exponent.magnitude)) else { return nil }
    if exponent > 0 {
      let product = digits.multipliedFullWidth(by: five)
      if product.high == 0 {
        return Self.round(product.low, hasRest: false, exponent: exponent)
      }
      let shift = product.high.leadingZeroBitCount
      let low = shift == 0 ? 0 : product.low &>> UInt64(64 - shift)
      return Self.round(
        product.high &<< UInt64(shift) | low, hasRest: product.low &<< UInt64(shift) != 0,
        exponent: exponent + 64 - shift)
    }
    // With the highest bits of a and b set, the quotient of a * 2^63 and b has 63 or 64 bits.
    let digitShift = digits.leadingZeroBitCount
    let fiveShift = five.leadingZeroBitCount
    let dividend = digits &<< UInt64(digitShift)
    let (quotient, rest) = (five &<< UInt64(fiveShift)).dividingFullWidth(
      (high: dividend &>> 1, low: dividend &<< 63))
    return Self.round(
      quotient, hasRest: rest != 0, exponent: exponent + fiveShift - digitShift - 63)
  }

  /// Rounds `integer * 2^exponent`, plus a little if there is a remainder; nil if not normal.
  ///
  /// - Parameter integer: not zero; with a remainder, at least 63 bits long.
  private static func round<Value: DecimalRoundable>(
    _ integer: UInt64, hasRest: Bool, exponent: Int
  ) -> Value? {
    let excess = UInt64.bitWidth - integer.leadingZeroBitCount - Value.significandBitCount - 1
    if excess <= 0 { return scaled(Value(integer), by: exponent) }
    let shift = UInt64(excess)
    var kept = integer &>> shift
    let lost = integer & ((1 &<< shift) &- 1)
    let half: UInt64 = 1 &<< (shift &- 1)
    if lost > half || lost == half && (hasRest || !kept.isMultiple(of: 2)) { kept += 1 }
    return scaled(Value(kept), by: exponent + excess)
  }

  private static func scaled<Value: DecimalRoundable>(
    _ value: Value, by exponent: Int
  ) -> Value? {
    let scaled = Value(sign: .plus, exponent: exponent, significand: value)
    return scaled.isNormal ? scaled : nil
  }
}

/// The powers of five that fit into 64 bits.
private enum PowerOfFive {
  static let all: [UInt64] = [
    1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1_953_125, 9_765_625, 48_828_125, 244_140_625,
    1_220_703_125, 6_103_515_625, 30_517_578_125, 152_587_890_625, 762_939_453_125,
    3_814_697_265_625, 19_073_486_328_125, 95_367_431_640_625, 476_837_158_203_125,
    2_384_185_791_015_625, 11_920_928_955_078_125, 59_604_644_775_390_625,
    298_023_223_876_953_125, 1_490_116_119_384_765_625, 7_450_580_596_923_828_125,
  ]

  @inline(__always)
  static func value(_ exponent: Int) -> UInt64? { exponent < all.count ? all[exponent] : nil }
}
