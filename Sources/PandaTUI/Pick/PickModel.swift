internal import TerminalKit

/// The state of `panda pick` as a pure state machine: keys and clicks go in, requests come out.
struct PickModel: Equatable {
  enum Request: Equatable {
    case move(Command.Move, count: Int)
    case select(id: String)
    case mark(count: Int)
    case markRange
    case markAll
    /// Mark one picture, or unmark it.
    case markOne(id: String)
    case filter(String)
    case resize(by: Int)
    /// End with the marked pictures, or the selected one.
    case choose
    /// Unmark, or end the filter, or else end with nothing.
    case cancel
    /// End with nothing.
    case leave
    case redraw
    case suspend
  }

  /// The state outside of the model that keys and clicks depend on.
  struct Surroundings {
    let keys: KeyTable
    let filterText: String
    let moment: Duration
    /// Returns the picture drawn at a cell.
    let picture: (CellPoint) -> String?
    let hint: (CellPoint) -> HintBar.Hint?
  }

  /// Whether a single picture is chosen, so that there are no marks.
  let takesOne: Bool
  /// The filter while it is typed.
  private(set) var filterField: TextField?
  /// The list of the keys while it is open.
  var help: HelpDialog?
  private(set) var message: Message?
  private(set) var count = CountPrefix()
  private var clicks = ClickCounter()

  init(takesOne: Bool) { self.takesOne = takesOne }

  /// Shows a message until the next key.
  mutating func say(_ message: Message) {
    if message.replaces(self.message) { self.message = message }
  }

  /// Handles a key press.
  ///
  /// - Parameter base: the key of a Latin layout in the same place, which counts for commands.
  mutating func handle(
    _ key: Key, base: Key? = nil, in surroundings: Surroundings
  ) -> [Request] {
    let isTyping = filterField != nil || help != nil
    let key = surroundings.keys.meaning(of: key, base: isTyping ? nil : base)
    message = nil
    if let outcome = help?.handle(key) {
      let isRedraw = surroundings.keys.command(for: key) == .program(.redraw)
      return follow(outcome, surroundings) + (isRedraw ? [.redraw] : [])
    }
    if filterField != nil { return type(key) }
    if count.take(key) { return [] }
    let count = count.end()
    guard let command = surroundings.keys.command(for: key) else { return [] }
    // Esc only clears a count that was begun.
    if command == .program(.cancel), count != nil { return [] }
    return perform(command, count: count ?? 1, surroundings)
  }

  private mutating func follow(
    _ outcome: Dialog.Outcome, _ surroundings: Surroundings
  ) -> [Request] {
    if outcome != .stay { help = nil }
    guard case .perform(let command) = outcome else { return [] }
    return perform(command, count: 1, surroundings)
  }

  private mutating func perform(
    _ command: Command, count: Int, _ surroundings: Surroundings
  ) -> [Request] {
    switch command {
    case .move(let move): return [.move(move, count: count)]
    case .favorites(.favorite), .favorites(.mark): return mark(.mark(count: count))
    case .favorites(.markRange): return mark(.markRange)
    case .favorites(.markAll): return mark(.markAll)
    case .favorites(.show): return [.choose]
    case .favorites(.filter):
      filterField = TextField(surroundings.filterText)
      return []
    case .view(.larger): return [.resize(by: count)]
    case .view(.smaller): return [.resize(by: -count)]
    case .program(.help):
      let keys = surroundings.keys.bindings.filter { !takesOne || !Self.marks.contains($0.command) }
      help = HelpDialog(KeyTable(bindings: keys), texts: Self.helpTexts) { _ in nil }
      return []
    case .program(.cancel): return [.cancel]
    case .program(.quit): return [.leave]
    case .program(.redraw): return [.redraw]
    case .program(.suspend): return [.suspend]
    case .card, .picture, .favorites, .view, .program: return []
    }
  }

  /// The commands that do something else than in the program.
  private static let helpTexts: [Command: String] = [
    .favorites(.show): "Choose the marked pictures, or the selected one",
    .favorites(.favorite): "Mark the selected picture, or unmark it",
    .favorites(.mark): "Mark the selected picture, or with ctrl the clicked one",
    .favorites(.markAll): "Mark all that match, or none",
    .favorites(.filter): "Show only what matches a filter",
    .program(.cancel): "Unmark, show all, or choose nothing",
    .program(.quit): "Quit without choosing",
    .view(.larger): "Show larger pictures",
    .view(.smaller): "Show smaller pictures",
  ]

  private static let marks = [Command.Favorites.favorite, .mark, .markRange, .markAll]
    .map(Command.favorites)

  private mutating func mark(_ request: Request) -> [Request] {
    guard takesOne else { return [request] }
    say(.info("Only one picture can be chosen, so nothing is marked"))
    return []
  }

  private mutating func type(_ key: Key) -> [Request] {
    switch key {
    case .enter:
      filterField = nil
      return []
    case .escape, .control("g"):
      filterField = nil
      return [.filter("")]
    case .up, .backTab: return [.move(.left, count: 1)]
    case .down, .tab: return [.move(.right, count: 1)]
    default:
      guard filterField?.handle(key) == true, let filterField else { return [] }
      return [.filter(filterField.text)]
    }
  }

  /// Inserts pasted text into the filter that is typed; elsewhere a paste is ignored.
  mutating func paste(_ text: String) -> [Request] {
    if help != nil {
      help?.paste(text)
      return []
    }
    filterField?.paste(text)
    return filterField.map { [.filter($0.text)] } ?? []
  }

  /// Handles the mouse: a click selects, a double click chooses, the wheel moves.
  ///
  /// With Ctrl or Alt held, a click marks.
  mutating func handle(_ event: MouseEvent, in surroundings: Surroundings) -> [Request] {
    // The hints below the help are its keys.
    let hint = event.kind == .press(.left) ? surroundings.hint(event.point) : nil
    let isOnHint = hint.map { $0.command == nil } ?? false
    if !isOnHint, let outcome = help?.handle(event) { return follow(outcome, surroundings) }
    switch event.kind {
    case .press(.left): return press(event, surroundings)
    case .scroll(let direction):
      clicks = ClickCounter()
      return switch direction {
      case .up: [.move(.up, count: 1)]
      case .down: [.move(.down, count: 1)]
      case .left: [.move(.left, count: 1)]
      case .right: [.move(.right, count: 1)]
      }
    case .press, .release, .drag, .move: return []
    }
  }

  private mutating func press(_ event: MouseEvent, _ surroundings: Surroundings) -> [Request] {
    message = nil
    _ = count.end()
    if let hint = surroundings.hint(event.point) {
      if let key = hint.pressed { return handle(key, in: surroundings) }
      return hint.command.map { perform($0, count: 1, surroundings) } ?? []
    }
    guard let id = surroundings.picture(event.point) else { return [] }
    if !event.modifiers.isDisjoint(with: [.control, .alt]) { return mark(.markOne(id: id)) }
    guard
      let clicked = clicks.doubleClicked(event.point, on: id, at: surroundings.moment)
    else { return [.select(id: id)] }
    return [.select(id: clicked), .choose]
  }
}
