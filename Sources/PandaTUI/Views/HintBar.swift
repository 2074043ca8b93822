internal import TerminalKit

/// The most useful keys, in one line.
///
/// As many as fit are shown, the most important ones first. The two or three that matter most in a
/// place stand out.
///
/// The essential ones, for help and quitting, always stay; if space is scarce, without words.
struct HintBar {
  /// One key and what it does.
  struct Hint: Hashable {
    let key: String
    let text: String
    let importance: Int
    /// The command that a click on it runs.
    let command: Command?
    /// The key that a click on it presses, where keys do not run commands.
    var pressed: Key?
    /// Whether it is among the few that matter most here, which stand out.
    var isProminent = false
    /// Whether it matters more than the words of the essential ones.
    var isUrgent = false

    var columns: Int { text.isEmpty ? key.columns : key.columns + 1 + text.columns }

    /// Whether it stays even in the smallest space.
    var isEssential: Bool { command == .program(.help) || command == .program(.quit) }

    /// The key alone.
    var withoutText: Hint {
      Hint(
        key: key, text: "", importance: importance, command: command, pressed: pressed,
        isProminent: isProminent, isUrgent: isUrgent)
    }
  }

  static let gap = 2

  let hints: [Hint]

  /// Selects hints from the key table.
  ///
  /// - Parameters:
  ///   - words: replaces the words of a command that has another meaning now; an empty text hides
  ///     it.
  ///   - urgent: the commands that are currently more important than all others.
  ///   - prominent: the two or three commands that matter most here.
  init(
    _ table: KeyTable, words: [Command: String] = [:], urgent: Set<Command> = [],
    prominent: Set<Command> = []
  ) {
    hints = table.bindings.compactMap { binding in
      guard let hint = words[binding.command] ?? binding.hint, !hint.isEmpty,
        let key = binding.keys.first
      else { return nil }
      let matters = prominent.contains(binding.command)
      let isUrgent = urgent.contains(binding.command)
      return Hint(
        key: key.label, text: hint,
        importance: binding.importance - (isUrgent ? 200 : matters ? 100 : 0),
        command: binding.command, isProminent: matters || isUrgent, isUrgent: isUrgent)
    }
  }

  /// Shows hints that are not from the key table: few, so each stands out.
  init(_ hints: [Hint]) {
    self.hints = hints.map { hint in
      var hint = hint
      hint.isProminent = true
      return hint
    }
  }

  /// The bar with only the essential hints, as keys without words.
  var essentials: HintBar { HintBar(hints.filter(\.isEssential).map(\.withoutText)) }

  /// The number of columns of the whole bar.
  var columns: Int { Self.columns(of: hints) }

  /// Returns the hints that fit, in the order of the table.
  ///
  /// One that matters keeps its key where its words do not fit.
  func fitting(_ columns: Int) -> [Hint] {
    let byImportance = hints.sorted { $0.importance < $1.importance }
    let others = byImportance.filter { !$0.isEssential }
    let essential = byImportance.filter(\.isEssential)
    let urgent = others.filter(\.isUrgent)
    let isShort =
      Self.columns(of: essential + (urgent.isEmpty ? Array(others.prefix(1)) : urgent)) > columns
    var kept: Set<Hint> = []
    var room = columns + Self.gap
    for hint in (isShort ? essential.map(\.withoutText) : essential) + others {
      let forms = hint.isProminent ? [hint, hint.withoutText] : [hint]
      guard let form = forms.first(where: { $0.columns + Self.gap <= room }) else { continue }
      room -= form.columns + Self.gap
      kept.insert(form)
    }
    return hints.compactMap { hint in
      [hint, hint.withoutText].first(where: kept.contains)
    }
  }

  private static func columns(of hints: [Hint]) -> Int {
    hints.map { $0.columns + gap }.reduce(0, +) - (hints.isEmpty ? 0 : gap)
  }

  /// Draws the bar, and returns the place of each hint, for the mouse.
  @discardableResult
  func draw(in area: CellRect, into canvas: inout Canvas) -> [(rect: CellRect, hint: Hint)] {
    var places: [(rect: CellRect, hint: Hint)] = []
    var column = area.column
    for hint in fitting(area.columns) {
      let rect = CellRect(column: column, row: area.row, columns: hint.columns, rows: 1)
      places.append((rect, hint))
      column = canvas.draw(
        hint.key, at: CellPoint(column: column, row: area.row),
        ink: hint.isProminent || hint.isEssential ? .key : .dim)
      if !hint.text.isEmpty {
        column = canvas.draw(
          " \(hint.text)", at: CellPoint(column: column, row: area.row),
          ink: hint.isProminent ? .plain : .dim)
      }
      column += Self.gap
    }
    return places
  }
}
