/// Makes untrusted text harmless: from the network, picture metadata, the database, a paste or the
/// command line.
///
/// It keeps only characters that occupy cells and stay within them. It strips control characters
/// (C0, DEL, C1: without them every escape sequence loses its introducer), bidirectional controls,
/// zero-width and other default-ignorable characters, the tags block, private use (kitty's picture
/// placeholder is one), noncharacters and unassigned code points. Two zero-width characters remain
/// where they join emoji: U+200D between two, U+FE0F after one. A base keeps its first four
/// combining marks.
enum Sanitizer {
  /// The maximum number of scalars in one character; the longest emoji have ten.
  ///
  /// Without a limit one character could be a megabyte of combining marks.
  static let scalarsPerCharacter = 16

  /// The maximum number of combining marks on one base.
  ///
  /// An ncurses cell holds no more, and no language needs more: a taller stack only smears over the
  /// lines above and below.
  static let marksPerBase = 4

  /// Returns the text with everything harmful removed.
  ///
  /// White space other than spaces, and runs of it, become one space. Combining marks before the
  /// first character are dropped, since they would attach to whatever precedes the text. The text
  /// is not normalized.
  ///
  /// - Parameters:
  ///   - text: any text.
  ///   - limit: the maximum number of characters returned.
  /// - Complexity: O(limit): it reads at most 64 scalars for each character allowed.
  package static func sanitized(_ text: String, limit: Int) -> String {
    // Nearly all text is, and a list has tens of thousands.
    if text.beginsWithPrintableASCII(limit.clamped + 1) {
      return text.utf8.count <= limit ? text : String(text.prefix(max(limit, 0)))
    }
    var cleaner = Cleaner()
    for scalar in text.unicodeScalars.prefix(limit.clamped * 64 + 4096) {
      cleaner.read(scalar)
    }
    var clean = String(String(cleaner.kept).prefix(max(limit, 0)))
    // The limit may come between a joiner and what it does not really join, such as half a flag.
    while clean.unicodeScalars.last == "\u{200D}" { clean.unicodeScalars.removeLast() }
    return clean
  }
}

extension String {
  /// Returns the text without anything that could harm the terminal or its columns; see
  /// `Sanitizer`.
  package func sanitized(upTo limit: Int = 1000) -> String {
    Sanitizer.sanitized(self, limit: limit)
  }
}

extension String {
  /// Whether the first bytes, or all if there are fewer, are spaces and printable ASCII characters.
  fileprivate func beginsWithPrintableASCII(_ count: Int) -> Bool {
    utf8.prefix(count).allSatisfy { 0x20 <= $0 && $0 < 0x7F }
  }
}

extension Int {
  /// The limit, clamped so that multiplying it cannot overflow.
  fileprivate var clamped: Int { Swift.min(Swift.max(self, 0), 10_000_000) }
}

/// The sanitizer's state between two scalars.
private struct Cleaner {
  var kept = String.UnicodeScalarView()
  private var previous: UnicodeScalar?
  /// A pending joiner, until the next emoji.
  private var joiner: UnicodeScalar?
  private var isAfterBreak = false
  /// The scalars of the current character after its first one.
  private var marks = 0
  /// The combining marks of the current base.
  private var combiningMarks = 0

  mutating func read(_ scalar: UnicodeScalar) {
    switch Role(scalar) {
    case .dropped: return
    case .joiner:
      if let previous, previous.canBeJoined { joiner = scalar }
    case .emojiSelector:
      if let previous, previous.properties.isEmoji { keep(scalar, asMark: true) }
    case .lineBreak:
      joiner = nil
      if !isAfterBreak { keep(" ", asMark: false) }
      isAfterBreak = true
    case .space: keepBase(" ")
    case .mark:
      joiner = nil
      guard previous != nil, !isAfterBreak, combiningMarks < Sanitizer.marksPerBase else { return }
      combiningMarks += 1
      keep(scalar, asMark: true)
    case .base: keepBase(scalar)
    }
  }

  private mutating func keepBase(_ scalar: UnicodeScalar) {
    combiningMarks = 0
    if let joiner, scalar.isPictograph {
      // Both or neither: a trailing joiner would absorb the next character.
      if marks + 2 < Sanitizer.scalarsPerCharacter {
        keep(joiner, asMark: true)
        keep(scalar, asMark: true)
      }
    } else {
      keep(scalar, asMark: !scalar.isASCII && scalar.properties.isEmojiModifier)
    }
    joiner = nil
    isAfterBreak = false
  }

  private mutating func keep(_ scalar: UnicodeScalar, asMark: Bool) {
    marks = asMark ? marks + 1 : 0
    guard marks < Sanitizer.scalarsPerCharacter else { return }
    kept.append(scalar)
    previous = scalar
  }
}

private enum Role {
  case dropped, joiner, emojiSelector, lineBreak, space, mark, base

  init(_ scalar: UnicodeScalar) {
    switch scalar.value {
    case 0x20..<0x7F:
      self = .base
      return
    case 0x09...0x0D, 0x85, 0x2028, 0x2029:
      self = .lineBreak
      return
    case 0x200D:
      self = .joiner
      return
    case 0xFE0F:
      self = .emojiSelector
      return
    default: break
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      self = .dropped
    case .spaceSeparator:
      // All others are one column wide, and some of them draw no background in some terminals.
      self = scalar.value == 0x3000 ? .base : .space
    case .nonspacingMark, .spacingMark, .enclosingMark:
      self = properties.isDefaultIgnorableCodePoint ? .dropped : .mark
    default:
      self = properties.isDefaultIgnorableCodePoint ? .dropped : .base
    }
  }
}

extension UnicodeScalar {
  /// Whether the scalar is an emoji by itself: not a digit, `#` or `*`, which begin keycaps.
  fileprivate var isPictograph: Bool { value >= 0xA9 && properties.isEmoji }

  /// Whether a joiner may follow: an emoji, its skin tone or its selector.
  fileprivate var canBeJoined: Bool { isPictograph || value == 0xFE0F }
}
