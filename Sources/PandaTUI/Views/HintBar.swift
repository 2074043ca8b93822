internal import TerminalKit

/// The keys worth knowing now, in one line: as many as fit, the most important ones longest.
///
/// The essential ones, for help and quitting, always stay: where room is scarce, without words.
struct HintBar {
  /// One key and what it does.
  struct Hint: Hashable {
    let key: String
    let text: String
    let importance: Int
    /// What a click on it runs.
    let command: Command?

    var columns: Int { text.isEmpty ? key.columns : key.columns + 1 + text.columns }

    /// Whether it stays, however little room there is.
    var isEssential: Bool { command == .help || command == .quit }

    /// The key alone.
    var withoutText: Hint {
      Hint(key: key, text: "", importance: importance, command: command)
    }
  }

  static let gap = 2

  let hints: [Hint]

  /// Picks from the key table.
  ///
  /// - Parameters:
  ///   - words: says other words for a command where the situation gives it another meaning; an
  ///     empty one leaves it out.
  ///   - urgent: the commands that the situation makes more important than all others.
  init(_ table: KeyTable, words: [Command: String] = [:], urgent: Set<Command> = []) {
    hints = table.bindings.compactMap { binding in
      guard let hint = words[binding.command] ?? binding.hint, !hint.isEmpty,
        let key = binding.keys.first
      else { return nil }
      let importance = binding.importance - (urgent.contains(binding.command) ? 100 : 0)
      return Hint(
        key: key.label, text: hint, importance: importance, command: binding.command)
    }
  }

  /// Shows other hints than those of the key table.
  init(_ hints: [Hint]) {
    self.hints = hints
  }

  /// The bar with the essential hints alone, as keys without words.
  var essentials: HintBar { HintBar(hints.filter(\.isEssential).map(\.withoutText)) }

  /// The columns that all of it takes.
  var columns: Int { Self.columns(of: hints) }

  /// Those that fit, in the order of the table.
  func fitting(_ columns: Int) -> [Hint] {
    let byImportance = hints.sorted { $0.importance < $1.importance }
    let others = byImportance.filter { !$0.isEssential }
    let essential = byImportance.filter(\.isEssential)
    let isShort = Self.columns(of: essential + others.prefix(1)) > columns
    var kept: Set<Hint> = []
    var room = columns + Self.gap
    for hint in (isShort ? essential.map(\.withoutText) : essential) + others
    where hint.columns + Self.gap <= room {
      room -= hint.columns + Self.gap
      kept.insert(hint)
    }
    return hints.compactMap { hint in
      [hint, hint.withoutText].first(where: kept.contains)
    }
  }

  private static func columns(of hints: [Hint]) -> Int {
    hints.map { $0.columns + gap }.reduce(0, +) - (hints.isEmpty ? 0 : gap)
  }

  /// Draws it, and returns where each command stands, for the mouse.
  @discardableResult
  func draw(in area: CellRect, into canvas: inout Canvas) -> [(rect: CellRect, command: Command)] {
    var places: [(rect: CellRect, command: Command)] = []
    var column = area.column
    for hint in fitting(area.columns) {
      if let command = hint.command {
        let rect = CellRect(column: column, row: area.row, columns: hint.columns, rows: 1)
        places.append((rect, command))
      }
      column = canvas.draw(hint.key, at: CellPoint(column: column, row: area.row), ink: .key)
      if !hint.text.isEmpty {
        column = canvas.draw(
          " \(hint.text)", at: CellPoint(column: column, row: area.row), ink: .dim)
      }
      column += Self.gap
    }
    return places
  }
}
