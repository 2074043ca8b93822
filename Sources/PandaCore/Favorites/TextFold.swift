// Decomposition is in the standard library, which needs it to compare strings, but public only
// there; Foundation's would load all of ICU at the start of the program.
@_spi(_Unicode) internal import Swift

/// Text in a form in which case and accents do not matter.
enum TextFold {
  /// Folds text: lower case, decomposed, without marks.
  ///
  /// - Complexity: O(n); ASCII is only lowered.
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
