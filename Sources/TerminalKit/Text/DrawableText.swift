internal import CWideCharacters

extension String {
  /// The text in a form that is equally wide in every terminal.
  ///
  /// A joined emoji is its first one, skin tones and emoji selectors are left out, marks beyond
  /// the four that a cell of ncurses holds too, and a scalar that the locale cannot show (anything
  /// but ASCII in the C locale) is a replacement character: `?` there, else U+FFFD. Sanitise text
  /// from outside first: control characters are not this property's business.
  ///
  /// - Complexity: O(n).
  package var drawable: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    // The C locale's character set has no U+FFFD, and wcwidth says so.
    let replacement: UnicodeScalar = wcwidth(0xFFFD) > 0 ? "\u{FFFD}" : "?"
    var result = String.UnicodeScalarView()
    for character in self { character.appendDrawable(to: &result, replacement: replacement) }
    return String(result)
  }
}

extension Character {
  fileprivate func appendDrawable(
    to result: inout String.UnicodeScalarView, replacement: UnicodeScalar
  ) {
    var marks = 0
    for (index, scalar) in unicodeScalars.enumerated() {
      if scalar == "\u{200D}" && index > 0 { return }
      if scalar.value == 0xFE0F || (scalar.properties.isEmojiModifier && index > 0) { continue }
      let width = scalar.value < 0x80 ? 1 : wcwidth(wchar_t(scalar.value))
      if width > 0 {
        result.append(scalar)
      } else if index == 0 && width < 0 {
        result.append(asciiEquivalents[scalar] ?? replacement)
      } else if width == 0 && marks < 4 {
        result.append(scalar)
        marks += 1
      } else if width < 0 && scalar.properties.canonicalCombiningClass == .notReordered {
        // Not a mark: half of a flag, a Hangul letter.
        result.append(replacement)
      }
    }
  }
}

/// Whether the locale's character set has line drawing and block symbols, as UTF-8 has.
///
/// Ask after `setlocale`.
package var localeShowsUnicode: Bool { wcwidth(0x2500) == 1 }

/// What Panda's own signs become where the locale cannot show them: one ASCII character each.
private let asciiEquivalents: [UnicodeScalar: UnicodeScalar] = [
  "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "▐": "[",
  "▌": "]", "★": "*", "☆": "-", "·": "-", "…": "~", "‹": "<", "›": ">", "⊘": "x", "←": "<",
  "→": ">", "↑": "^", "↓": "v", "⠋": "|", "⠙": "/", "⠹": "-", "⠸": "\\", "⠼": "|", "⠴": "/",
  "⠦": "-", "⠧": "\\", "⠇": "|", "⠏": "/",
]
