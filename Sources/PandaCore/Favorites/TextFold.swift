// Decomposition exists in the standard library, which needs it to compare strings, but only as SPI;
// Foundation's would load all of ICU at launch.
@_spi(_Unicode) internal import Swift

/// Converts text to a form in which case and accents do not matter.
enum TextFold {
  /// Returns the text in lowercase, decomposed, without marks.
  ///
  /// - Complexity: O(n); ASCII is only lowercased.
  static func fold(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = String.UnicodeScalarView()
    for scalar in text.lowercased()._nfd {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: continue
      default: folded.append(contentsOf: scalar == "ß" ? ["s", "s"] : [scalar])
      }
    }
    return String(folded)
  }
}
