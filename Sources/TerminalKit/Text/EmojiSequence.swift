extension Character {
  /// Whether the character is an emoji of several scalars that is two columns wide as a whole.
  ///
  /// Joined with U+200D, with a skin tone, or with the emoji selector U+FE0F (Unicode Technical
  /// Standard 51). A terminal that knows such sequences draws one picture in two cells; the others
  /// disagree, so there the first emoji stands for all. Not keycaps and flags of two letters, which
  /// need no more than the cells of their scalars.
  package var isEmojiSequence: Bool {
    let scalars = unicodeScalars
    // Most characters are one scalar, whose properties take long to look up.
    guard let first = scalars.first, let second = scalars.dropFirst().first, first.value >= 0xA9,
      first.properties.isEmoji
    else { return false }
    return (first.properties.isEmojiPresentation || second == UnicodeScalar.emojiSelector)
      && scalars.dropFirst().allSatisfy(\.isInEmojiSequence)
      && scalars.contains(where: \.makesEmojiSequence)
  }
}

extension UnicodeScalar {
  static let emojiSelector: UnicodeScalar = "\u{FE0F}"
  static let joiner: UnicodeScalar = "\u{200D}"

  /// Whether the scalar occurs in emoji sequences only, after their first scalar.
  var makesEmojiSequence: Bool {
    self == .joiner || self == .emojiSelector || (0x1F3FB...0x1F3FF).contains(value)
  }

  fileprivate var isInEmojiSequence: Bool {
    makesEmojiSequence || (value >= 0xA9 && properties.isEmoji)
  }
}

/// A terminal's way of drawing emoji sequences; see `Character.isEmojiSequence`.
package enum EmojiSequences: Hashable, Sendable {
  /// Apart, or of unknown width: the first emoji stands for the sequence.
  case firstEmoji
  /// Whole, in two cells.
  case joined
  /// Whole, in as many cells as it is told to take: kitty's text sizing protocol
  /// (sw.kovidgoyal.net/kitty/text-sizing-protocol), which older versions need that would otherwise
  /// count the emoji.
  case sized

  /// Returns the bytes that draw a sequence at the cursor, in two cells.
  func bytes(_ sequence: String) -> [UInt8] {
    self == .sized ? Array("\u{1B}]66;w=2;\(sequence)\u{1B}\\".utf8) : Array(sequence.utf8)
  }
}
