internal import TerminalKit

/// A line of text being typed, as a pure state machine.
///
/// The keys are those of Emacs and readline, as in every shell. The text is stored as typed and
/// sanitized when it is drawn.
struct TextField: Equatable, Sendable {
  /// The text; pasted line breaks have become spaces.
  private(set) var text: String
  /// The greatest number of characters.
  let limit: Int
  /// The number of characters before the cursor.
  private(set) var cursor: Int
  /// Whether the last key or paste had more than fits.
  private(set) var wasCut = false

  /// Says that the last key or paste had more than fits; nil if all of it did.
  var cutNotice: String? {
    wasCut ? "Not all of it fits: \(limit) characters at most" : nil
  }

  /// Creates a field with the cursor at its end.
  init(_ text: String = "", limit: Int = 500) {
    self.limit = limit
    self.text = String(text.prefix(limit))
    cursor = self.text.count
  }

  /// Handles a key; returns whether the key has a meaning here.
  mutating func handle(_ key: Key) -> Bool {
    wasCut = false
    switch key {
    case .character(let character): insert(String(character))
    case .left, .control("b"): move(to: cursor - 1)
    case .right, .control("f"): move(to: cursor + 1)
    case .home, .control("a"): move(to: 0)
    case .end, .control("e"): move(to: text.count)
    case .alt("b"), .modified(.control, .left), .modified(.alt, .left): move(to: wordStart)
    case .alt("f"), .modified(.control, .right), .modified(.alt, .right): move(to: wordEnd)
    case .backspace: remove(cursor - 1..<cursor)
    case .delete, .control("d"): remove(cursor..<cursor + 1)
    case .control("w"), .alt("\u{7F}"), .modified(.alt, .backspace): remove(wordStart..<cursor)
    case .alt("d"): remove(cursor..<wordEnd)
    case .control("u"): remove(0..<cursor)
    case .control("k"): remove(cursor..<text.count)
    default: return false
    }
    return true
  }

  /// Inserts as much of pasted text as fits.
  ///
  /// White space becomes one space, control characters are dropped.
  mutating func paste(_ pasted: String) {
    insert(pasted.sanitized(upTo: limit + 1))
  }

  /// The word that ends at the cursor; empty after white space.
  var wordBeforeCursor: Substring {
    let before = text.prefix(cursor)
    return before[
      (before.lastIndex { $0.isWhitespace }.map(before.index(after:)) ?? before.startIndex)...]
  }

  mutating func replaceWordBeforeCursor(with word: some StringProtocol) {
    remove(cursor - wordBeforeCursor.count..<cursor)
    insert(String(word))
  }

  private mutating func insert(_ inserted: String) {
    let before = String(text.prefix(cursor)) + inserted
    let rest = text.dropFirst(cursor)
    // A combining mark joins the character before it, so the result is counted, not the pasted
    // text.
    let kept = before.prefix(limit - rest.count)
    wasCut = kept.endIndex < before.endIndex
    text = String(kept) + rest
    cursor = min(kept.count, text.count)
  }

  private mutating func remove(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<text.count)
    guard !range.isEmpty else { return }
    text = String(text.prefix(range.lowerBound)) + text.dropFirst(range.upperBound)
    cursor = range.lowerBound
  }

  private mutating func move(to place: Int) {
    cursor = max(0, min(text.count, place))
  }

  /// The start of the word before the cursor.
  private var wordStart: Int {
    let before = text.prefix(cursor).reversed()
    let spaces = before.prefix { $0.isWhitespace }.count
    return cursor - spaces - before.dropFirst(spaces).prefix { !$0.isWhitespace }.count
  }

  /// The end of the word after the cursor.
  private var wordEnd: Int {
    let after = text.dropFirst(cursor)
    let spaces = after.prefix { $0.isWhitespace }.count
    return cursor + spaces + after.dropFirst(spaces).prefix { !$0.isWhitespace }.count
  }

  // MARK: Drawing

  /// Draws as much text as fits, with the cursor always in view; marks show that there is more.
  ///
  /// That is the terminal's own: a reversed cell below it would be reversed twice, to nothing.
  func draw(at point: CellPoint, columns: Int, into canvas: inout Canvas) {
    guard columns > 0 else { return }
    let characters = text.map { String($0).shownInField }
    let widths = characters.map(\.columns)
    // The cursor takes a cell of its own after the last character.
    let cursorColumns = cursor < widths.count ? max(1, widths[cursor]) : 1
    var first = 0
    var width = widths[..<cursor].reduce(0, +) + cursorColumns
    // Too few columns have no room for the signs.
    let sign = columns > 6 ? 1 : 0
    let isMoreAfter = cursor + 1 < widths.count
    while width > columns - (first > 0 ? sign : 0) - (isMoreAfter ? sign : 0), first < cursor {
      width -= widths[first]
      first += 1
    }
    var column = point.column
    var end = point.column + columns
    if first > 0, sign > 0 { column = canvas.draw("…", at: point, ink: .secondary) }
    let rest = widths[first...].reduce(0, +) + (cursor == widths.count ? 1 : 0)
    if column + rest > end, sign > 0 {
      end -= 1
      canvas.draw("…", at: CellPoint(column: end, row: point.row), ink: .secondary)
    }
    for (index, character) in characters.enumerated().dropFirst(first) {
      guard column + widths[index] <= end else { break }
      if index == cursor { canvas.cursor = CellPoint(column: column, row: point.row) }
      column = canvas.draw(
        character, at: CellPoint(column: column, row: point.row))
    }
    if cursor >= characters.count, column < end {
      canvas.cursor = CellPoint(column: column, row: point.row)
    }
  }
}

extension String {
  /// One character as the field shows it.
  ///
  /// It is never empty, so that the cursor has a cell.
  fileprivate var shownInField: String {
    let shown = sanitized(upTo: 1).drawable
    return shown.columns > 0 ? shown : "?"
  }
}
