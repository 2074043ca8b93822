internal import PandaSession
internal import TerminalKit

/// The most useful keys, in one line: five, the same ones in the same situation.
///
/// Where they do not fit, the last ones go first. The essential ones, for help and quitting, always
/// stay; if space is scarce, without words.
struct HintBar {
  struct Hint: Hashable {
    let key: String
    let text: String
    /// The command that a click on it runs.
    let command: Command?
    /// The key that a click on it presses, where keys do not run commands.
    var pressed: Key?
    var isAvailable = true
    /// Whether it matters more than the words of the essential ones.
    var isUrgent = false

    var columns: Int { text.isEmpty ? key.columns : key.columns + 1 + text.columns }

    /// Whether it stays even in the smallest space.
    var isEssential: Bool { command == .program(.help) || command == .program(.quit) }

    var withoutText: Hint {
      Hint(
        key: key, text: "", command: command, pressed: pressed, isAvailable: isAvailable,
        isUrgent: isUrgent)
    }
  }

  static let gap = 2

  /// The hints, the most important one first.
  let hints: [Hint]

  init(_ hints: [Hint]) { self.hints = hints }

  /// Shows commands, each with a word or two.
  ///
  /// Those without a key are left out.
  ///
  /// - Parameters:
  ///   - urgent: the commands that are currently more important than all others.
  ///   - isAvailable: returns whether a command can run now.
  init(
    _ table: KeyTable, _ commands: [(command: Command, text: String)], urgent: Set<Command> = [],
    isAvailable: (Command) -> Bool = { _ in true }
  ) {
    hints = commands.compactMap { command, text in
      guard let key = table[command]?.keys.first else { return nil }
      return Hint(
        key: key.label, text: text, command: command, isAvailable: isAvailable(command),
        isUrgent: urgent.contains(command))
    }
  }

  /// The bar with only the essential and the urgent hints, as keys without words.
  var essentials: HintBar {
    HintBar(hints.filter { $0.isEssential || $0.isUrgent }.map(\.withoutText))
  }

  var columns: Int { Self.columns(of: hints) }

  /// Returns the hints that fit, in their order.
  ///
  /// One whose words do not fit keeps its key.
  func fitting(_ columns: Int) -> [Hint] {
    let essential = hints.filter(\.isEssential)
    let urgent = hints.filter { $0.isUrgent && !$0.isEssential }
    let others = hints.filter { !$0.isUrgent && !$0.isEssential }
    let first = urgent.isEmpty ? Array(others.prefix(1)) : urgent
    let isShort = Self.columns(of: essential + first) > columns
    var kept: Set<Hint> = []
    var room = columns + Self.gap
    for hint in essential + urgent + others {
      // Where words are short of room, more keys are worth more than a word.
      let forms = isShort ? [hint.withoutText] : [hint, hint.withoutText]
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
        ink: hint.isAvailable ? .key : .dim)
      if !hint.text.isEmpty {
        column = canvas.draw(
          " \(hint.text)", at: CellPoint(column: column, row: area.row),
          ink: hint.isAvailable ? .plain : .dim)
      }
      column += Self.gap
    }
    return places
  }
}
