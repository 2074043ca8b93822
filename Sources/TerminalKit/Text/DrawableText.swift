internal import CWideCharacters

extension String {
  /// The text in a form that has the same width in every terminal.
  ///
  /// An emoji sequence is reduced to its first emoji, in two columns. Skin tones, emoji selectors
  /// and marks beyond the four that an ncurses cell holds are dropped. A scalar that the locale
  /// cannot show (anything but ASCII in the C locale) becomes a replacement character: `?` there,
  /// else U+FFFD. Sanitize untrusted text first: this property does not handle control characters.
  ///
  /// - Complexity: O(n).
  package var drawable: String { drawable(keepsSequences: false) }

  /// Returns the same, perhaps with its emoji sequences whole.
  func drawable(keepsSequences: Bool) -> String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    // The C locale's character set lacks U+FFFD, and wcwidth says so.
    let replacement: UnicodeScalar = wcwidth(0xFFFD) > 0 ? "\u{FFFD}" : "?"
    var result = String.UnicodeScalarView()
    for character in self {
      if !character.isEmojiSequence {
        character.appendDrawable(to: &result, replacement: replacement)
      } else if keepsSequences {
        result += character.unicodeScalars
      } else {
        character.appendFirstEmoji(to: &result, replacement: replacement)
      }
    }
    return String(result)
  }
}

extension Character {
  /// Appends the emoji that stands for a sequence, in two columns.
  fileprivate func appendFirstEmoji(
    to result: inout String.UnicodeScalarView, replacement: UnicodeScalar
  ) {
    var first = String.UnicodeScalarView()
    appendDrawable(to: &first, replacement: replacement)
    result += first
    result += String(repeating: " ", count: max(0, 2 - String(first).columns)).unicodeScalars
  }

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
        // Not a mark: half of a flag, or a Hangul letter.
        result.append(replacement)
      }
    }
  }
}

/// Whether the locale's character set has line drawing and block symbols, as UTF-8 has.
///
/// Valid after `setlocale`.
package var localeShowsUnicode: Bool { wcwidth(0x2500) == 1 }

/// One ASCII character for each symbol of the interface, for locales that cannot show them.
private let asciiEquivalents: [UnicodeScalar: UnicodeScalar] = [
  "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+",
  "┴": "+",
  "╭": "+", "╮": "+", "╰": "+", "╯": "+",
  "┏": "+", "┓": "+", "┗": "+", "┛": "+", "━": "-", "┃": "|", "✓": "x", "▐": "[",
  "▌": "]", "★": "*", "☆": "-", "·": "-", "…": "~", "‹": "<", "›": ">", "⊘": "x", "←": "<",
  "→": ">", "↑": "^", "↓": "v", "⠋": "|", "⠙": "/", "⠹": "-", "⠸": "\\", "⠼": "|", "⠴": "/",
  "⠦": "-", "⠧": "\\", "⠇": "|", "⠏": "/",
]
