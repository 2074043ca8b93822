internal import CWideCharacters

// The width is the sum of wcwidth(3) over the scalars, because ncurses positions text that way: a
// different result, however right for one terminal, would shift everything that ncurses draws after
// it.
//
// An emoji sequence has two columns in every terminal: ncurses draws none, only what stands for it
// (`Canvas`, `Screen`).

extension UnicodeScalar {
  /// The number of columns the scalar occupies: 0, 1 or 2.
  ///
  /// Where wcwidth has no answer (before `setlocale`, in the C locale, and for characters newer
  /// than the C library) a small table applies: accurate enough for clipping, and `drawable` keeps
  /// such scalars off the screen.
  package var columns: Int {
    if (0x20..<0x7F).contains(value) { return 1 }
    let width = wcwidth(wchar_t(value))
    return width >= 0 ? Int(width) : fallbackColumns
  }

  private var fallbackColumns: Int {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: return 0
    case 0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x2E80...0x303E, 0x3041...0xA4CF,
      0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6B, 0xFF01...0xFF60,
      0xFFE0...0xFFE6, 0x17000...0x18CD5, 0x1B000...0x1B2FB, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: break
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }
}

extension Character {
  /// The number of columns the character occupies: two for an emoji sequence, else the sum over its
  /// scalars.
  package var columns: Int { isEmojiSequence ? 2 : scalarColumns }

  private var scalarColumns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }
}

extension StringProtocol {
  /// The number of columns the text occupies.
  ///
  /// - Complexity: O(n).
  package var columns: Int {
    unicodeScalars.contains(where: \.makesEmojiSequence)
      ? reduce(0) { $0 + $1.columns } : unicodeScalars.reduce(0) { $0 + $1.columns }
  }
}

package enum TextAlignment: Hashable, Sendable {
  case leading, trailing, center
}

extension String {
  /// Returns the text if it fits, or else its beginning and an ellipsis.
  ///
  /// Characters are never split: the result may be a column narrower than allowed.
  ///
  /// - Complexity: O(columns), regardless of the text's length.
  package func clipped(to columns: Int, ellipsis: String = "…") -> String {
    guard columns > 0 else { return "" }
    let ellipsisColumns = ellipsis.columns
    let room = columns - ellipsisColumns
    var width = 0
    var end = startIndex  // where the text ends if an ellipsis must follow
    for index in indices {
      let next = width + self[index].columns
      if next > columns {
        return room < 0 ? String(self[..<index]) : self[..<end] + ellipsis
      }
      width = next
      if width <= room { end = self.index(after: index) }
    }
    return self
  }

  /// Returns the text in a field of exactly so many columns: clipped, or padded with spaces.
  package func padded(
    to columns: Int, alignment: TextAlignment = .leading, ellipsis: String = "…"
  ) -> String {
    let text = clipped(to: columns, ellipsis: ellipsis)
    let spare = Swift.max(columns, 0) - text.columns
    let before =
      switch alignment {
      case .leading: 0
      case .trailing: spare
      case .center: spare / 2
      }
    return String(repeating: " ", count: before) + text
      + String(repeating: " ", count: spare - before)
  }
}
