// Decomposition exists in the standard library, which needs it to compare strings, but only as SPI;
// Foundation's would load all of ICU at launch.
@_spi(_Unicode) internal import Swift

/// Converts text to a form in which case and accents do not matter.
enum TextFold {
  /// The letters that do not decompose, as people type them without their keyboard.
  ///
  /// In lowercase. All kinds of i are one in every language: İ becomes i and a mark, ı is here.
  private static let letters: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h",
    "ŧ": "t", "ŋ": "n", "ı": "i", "ȷ": "j", "ĸ": "k", "ſ": "s", "ŉ": "n", "ĳ": "ij", "ƶ": "z",
    "ƀ": "b", "ɨ": "i", "ɉ": "j", "ɵ": "o", "ǥ": "g", "ɓ": "b", "ɗ": "d", "ƙ": "k",
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
    "ǆ": "dz", "ǉ": "lj", "ǌ": "nj", "ǳ": "dz", "\u{3000}": " ",
    "ς": "σ", "‘": "'", "’": "'", "‚": "'", "‛": "'", "“": "\"", "”": "\"", "„": "\"", "‟": "\"",
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "…": "...",
  ]

  /// The characters of the half-width ones from U+FF61 on (JIS X 0201), without the two sound marks
  /// that follow them.
  private static let wide = Array(
    ("。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホ"
      + "マミムメモヤユヨラリルレロワン").unicodeScalars)

  /// Returns the text in lowercase, decomposed, without marks, letters as they are typed.
  ///
  /// - Complexity: O(n); ASCII is only lowercased.
  static func fold(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = String.UnicodeScalarView()
    for scalar in text.lowercased()._nfd {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: continue
      default:
        if let typed = letters[scalar] {
          folded.append(contentsOf: typed.unicodeScalars)
        } else if let usual = ofUsualWidth(scalar) {
          folded.append(usual)
        }
      }
    }
    return String(folded)
  }

  /// Returns the ASCII character of a full-width one, and the kana of a half-width one, which input
  /// methods of East Asia type; none for a half-width sound mark, as without marks.
  private static func ofUsualWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
    case 0xFF61...0xFF9D: wide[Int(scalar.value - 0xFF61)]
    case 0xFF9E, 0xFF9F: nil
    default: scalar
    }
  }
}
