import FoundationEssentials
import PandaTestSupport

extension SplitMix64 {
  /// Changes a document in one place.
  mutating func mutate(_ data: inout Data) {
    let tokens = [
      "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-", "1e5", ".5", "null", "true", "\\u0041",
      "\\ud83d", "\\udc3c", " ", "\n", "\t", "\u{0}", "é", "e\u{301}", "\"a\":1,", "[[[", "]]",
      "99999999999999999999", "0.1", "1.0", "-0", "1e-400", "\u{FEFF}", "/**/", "\u{1F}", "🐼",
    ]
    guard !data.isEmpty else { return }
    let position = below(data.count)
    switch below(7) {
    case 0: data[position] = UInt8(below(256))
    case 1: data[position] ^= 1 << UInt8(below(8))
    case 2: data = data.prefix(position)
    case 3, 4:
      data.insert(contentsOf: Data(tokens[below(tokens.count)].utf8), at: position)
    case 5: data.removeSubrange(position..<min(position + 1 + below(4), data.count))
    default:
      let end = min(position + below(30), data.count)
      data.insert(contentsOf: Data(data[position..<end]), at: below(data.count))
    }
  }

  /// The text of a number: an integer, a decimal, one between two doubles, one of any form.
  mutating func number() -> String {
    let sign = chance(3) ? "-" : ""
    switch below(6) {
    case 0: return "\(double())".replacing("+", with: "")
    case 1: return "\(sign)\(1 + below(9))\(digits(below(22)))"
    case 2: return "\(sign)\(below(10)).\(digits(1 + below(24)))"
    case 3:
      // Halfway between two doubles, or close to it.
      let whole = UInt64(1) << 53 + next() >> 11
      let half = "\(whole / 2).\(whole.isMultiple(of: 2) ? "0" : "5")"
      return sign + half + (chance(2) ? "" : digits(below(3)) + "1")
    case 4:
      let odd = next() >> UInt64(below(12)) | 1
      return "\(sign)\(odd)e\(below(60) - 30)"
    default:
      let exponent = "\(["e", "E", "e+", "e-"][below(4)])\(below(40))"
      return
        "\(sign)\(1 + below(9)).\(digits(1 + below(18)))\(exponent)"
    }
  }

  private mutating func digits(_ count: Int) -> String {
    String((0..<count).map { _ in Character(String(below(10))) })
  }
}
