import FoundationEssentials
import PandaTestSupport

extension SplitMix64 {
  mutating func chance(_ parts: Int) -> Bool { below(parts) == 0 }

  mutating func string() -> String {
    let alphabets: [[Character]] = [
      Array("abcdefghijklmnopqrstuvwxyz ABC0123456789"), Array("\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}x"),
      Array("éüñßøçàπ€日本語한"), Array("🐼👨‍👩‍👧🏳️‍🌈𝄞\u{301}\u{FEFF}\u{2028}"),
    ]
    let mixed = chance(2)
    let first = below(alphabets.count)
    return String(
      (0..<below(chance(5) ? 90 : 14)).map { _ in
        let alphabet = alphabets[mixed ? below(alphabets.count) : first]
        return alphabet[below(alphabet.count)]
      })
  }

  /// Any finite number: simple ones, all bits at random, and the borders.
  mutating func double() -> Double {
    switch below(7) {
    case 0: return Double(below(2000) - 1000)
    case 1: return Double(below(2_000_000) - 1_000_000) / 1000
    case 2: return Double.random(in: -1...1, using: &self)
    case 3: return 785_000_000 + Double.random(in: 0...1e8, using: &self)
    case 4: return Double(Int64(bitPattern: next()) >> Int64(below(60)))
    case 5:
      let borders: [Double] = [
        0, -0.0, 1e22, 1e23, 1e-5, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        .leastNormalMagnitude, 1e16,
        9_007_199_254_740_992, 0.1, 0.3, 1.0 / 3, .pi,
      ]
      return borders[below(borders.count)]
    default:
      let any = Double(bitPattern: next())
      return any.isFinite ? any : 0
    }
  }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value {
    switch below(4) {
    case 0: Value.random(in: .min ... .max, using: &self)
    case 1: chance(2) ? .min : .max
    default: Value(truncatingIfNeeded: below(200) - (Value.isSigned ? 100 : 0))
    }
  }

  mutating func array<Element>(_ element: (inout Self) -> Element) -> [Element] {
    let count = chance(8) ? below(40) : below(5)
    var array: [Element] = []
    for _ in 0..<count { array.append(element(&self)) }
    return array
  }

  mutating func dictionary<Value>(_ value: (inout Self) -> Value) -> [String: Value] {
    var dictionary: [String: Value] = [:]
    for key in array({ $0.string() }) { dictionary[key] = value(&self) }
    return dictionary
  }

  mutating func optional<Value>(_ value: (inout Self) -> Value) -> Value? {
    chance(3) ? nil : value(&self)
  }

  mutating func tree(depth: Int = 4) -> Tree {
    switch below(depth > 0 ? 7 : 5) {
    case 0: .null
    case 1: .bool(chance(2))
    case 2: .integer(integer(Int64.self))
    case 3: .number(double())
    case 4: .string(string())
    case 5: .array(array { $0.tree(depth: depth - 1) })
    default: .object(dictionary { $0.tree(depth: depth - 1) })
    }
  }
}
