internal import PandaSession
internal import TerminalKit

/// Manages focus, dialogs and all text being typed, as a pure state machine.
///
/// Keys, clicks and pastes go in, requests come out; it has no side effects.
struct ScreenModel {
  enum Request: Equatable {
    case perform(Command, count: Int)
    /// A key or a click arrived.
    ///
    /// The picture on the card stays until another one is requested.
    case touch
    case filter(String)
    case move(Command.Move)
    case select(id: String)
    /// Make one picture of the trash a favorite again.
    case restore(id: String)
    /// Mark one favorite, or unmark it.
    case mark(id: String)
    /// Mark all favorites up to one.
    case markRange(id: String)
    case confirmed(ConfirmDialog)
    case submit(String, InputDialog)
    case source(SourcesDialog.Request)
    case collection(CollectionsDialog.Request)
    /// Enlarge a picture, or make it smaller, at a cell.
    case zoom(Int, at: CellPoint)
    case pan(columns: Int, rows: Int)
    case pauseSlideshow
    case redraw

    /// Whether the user chooses among the pictures of the favorites.
    var isChoice: Bool {
      switch self {
      case .collection(.show): true
      case .move, .select, .mark, .markRange, .filter: true
      default: false
      }
    }
  }

  /// The state outside the model that the handling of keys and clicks depends on.
  struct Surroundings {
    let keys: KeyTable
    let layout: Layout
    /// The identifier of the picture on the card.
    let cardPicture: String?
    let isCardPictureSaved: Bool
    let isInTrash: Bool
    /// Whether a picture is enlarged on the whole screen.
    let isZoomed: Bool
    let hasMatches: Bool
    let hasSelection: Bool
    let moment: Duration
    /// Returns the carousel picture drawn at a cell.
    let picture: (CellPoint) -> String?
    /// Returns the hint that is drawn at a cell.
    let hint: (CellPoint) -> HintBar.Hint?
  }

  var focus = Pane.card
  var dialog: Dialog?
  private(set) var message: Message?
  var trouble: Trouble?
  /// The filter while it is being typed.
  var filterField: TextField?
  private(set) var count = CountPrefix()
  var slideshow = Slideshow()
  /// Whether the favorites have the whole screen.
  var showsGrid = false
  /// Whether the panda on the card was chosen in the grid, to which Esc comes back.
  var returnsToGrid = false
  /// The command that is pending until the favorites have been read.
  var deferred: DeferredCommand?
  private var clicks = ClickCounter()
  /// The last position of the pointer while a button is held on an enlarged picture.
  private var dragged: CellPoint?

  /// Shows a message until the next key, unless a more important one is shown.
  mutating func say(_ message: Message) {
    if message.replaces(self.message) { self.message = message }
  }

  mutating func clearMessage() { message = nil }

  // MARK: Keys

  private var isTyping: Bool { filterField != nil || dialog?.takesText == true }

  /// Handles a key press.
  ///
  /// - Parameter base: the key of a Latin layout in the same place, which counts for commands.
  mutating func handle(
    _ key: Key, base: Key? = nil, in surroundings: Surroundings
  ) -> [Request] {
    deferred = nil
    let key = surroundings.keys.meaning(of: key, base: isTyping ? nil : base)
    let command = surroundings.keys.command(for: key)
    // A user who stops fetching does not want it to continue in the background.
    let touch: [Request] = command == .program(.cancel) ? [] : [.touch]
    if dialog != nil { return touch + handleInDialog(key, command, surroundings) }
    if filterField != nil { return touch + handleInFilter(key, surroundings) }
    if slideshow.isRunning, slideshow.isPaused(by: command) { return touch + [.pauseSlideshow] }
    if count.take(key) { return touch }
    return touch + handleCommand(key, command)
  }

  private mutating func handleCommand(_ key: Key, _ command: Command?) -> [Request] {
    let count = count.end()
    message = nil
    guard let command else { return [] }
    // Esc only clears a count that was begun.
    if command == .program(.cancel), count != nil { return [] }
    guard count == nil || command.has(.takesCount) else {
      say(.info("\(key.label) takes no number: it does one thing at a time"))
      return []
    }
    return [.perform(command, count: count ?? 1)]
  }

  private mutating func handleInDialog(
    _ key: Key, _ command: Command?, _ surroundings: Surroundings
  ) -> [Request] {
    guard let outcome = dialog?.handle(key, keys: surroundings.keys) else { return [] }
    return follow(outcome) + (command == .program(.redraw) ? [.redraw] : [])
  }

  private mutating func follow(_ outcome: Dialog.Outcome) -> [Request] {
    switch outcome {
    case .stay:
      guard case .sources(var sources) = dialog, let request = sources.takeRequest() else {
        return []
      }
      dialog = .sources(sources)
      return [.source(request)]
    case .close:
      dialog = nil
      return []
    case .confirmed:
      guard case .confirm(let question) = dialog else { return [] }
      dialog = nil
      return [.confirmed(question)]
    case .perform(let command):
      dialog = nil
      return [.perform(command, count: 1)]
    case .collection(let request): return [.collection(request)]
    case .submit(let text):
      if case .input(let input) = dialog { return [.submit(text, input)] }
      return []
    }
  }

  private mutating func handleInFilter(_ key: Key, _ surroundings: Surroundings) -> [Request] {
    switch key {
    case .enter:
      filterField = nil
      if surroundings.hasMatches { focus = .carousel }
      return []
    case .escape, .control("g"):
      filterField = nil
      return [.filter("")]
    case .down
    where filterField?.text.isEmpty == true && surroundings.keys[.favorites(.collections)] != nil:
      filterField = nil
      return [.perform(.favorites(.collections), count: 1)]
    case .up, .backTab: return [.move(.left)]
    case .down, .tab: return [.move(.right)]
    default:
      guard filterField?.handle(key) == true, let filterField else { return [] }
      return [.filter(filterField.text)]
    }
  }

  /// Inserts pasted text where text is being typed; elsewhere a paste is ignored.
  mutating func paste(_ text: String) -> [Request] {
    if dialog != nil {
      dialog?.paste(text)
      return []
    }
    filterField?.paste(text)
    return filterField.map { [.filter($0.text)] } ?? []
  }

  // MARK: The mouse

  /// Handles the mouse: a click selects, a double click favorites or shows, the wheel moves.
  ///
  /// With Ctrl or Alt held a click marks; xterm has a menu for Ctrl. With Shift held it marks a
  /// range, but most terminals select text then and report nothing.
  mutating func handle(_ event: MouseEvent, in surroundings: Surroundings) -> [Request] {
    if event.kind == .press(.left), dialog != nil || filterField != nil,
      let hint = surroundings.hint(event.point), hint.command == nil
    {
      // A hint with several keys does nothing; it is no click beside the dialog, which closes it.
      guard let key = hint.pressed else { return [] }
      return handle(key, in: surroundings)
    }
    if let outcome = dialog?.handle(event) { return follow(outcome) }
    switch event.kind {
    case .press(.left):
      dragged = surroundings.isZoomed ? event.point : nil
      return press(event, surroundings)
    case .drag(.left): return drag(to: event.point, surroundings)
    case .scroll(let direction)
    where surroundings.isZoomed || event.modifiers.contains(.control):
      let pause: [Request] = slideshow.isRunning ? [.pauseSlideshow] : []
      return pause + zoom(direction, at: event.point, surroundings)
    case .scroll(let direction): return scroll(direction, surroundings)
    case .press, .release, .drag, .move: return []
    }
  }

  private mutating func drag(to point: CellPoint, _ surroundings: Surroundings) -> [Request] {
    guard surroundings.isZoomed, let last = dragged else { return [] }
    dragged = point
    return [.pan(columns: last.column - point.column, rows: last.row - point.row)]
  }

  /// The wheel enlarges where the pointer is; the picture stays on the card meanwhile.
  private func zoom(
    _ direction: MouseEvent.Direction, at point: CellPoint, _ surroundings: Surroundings
  ) -> [Request] {
    let layout = surroundings.layout
    if layout.isWholeGrid, layout.carousel?.contains(point) == true {
      return switch direction {
      case .up: [.perform(.view(.larger), count: 1)]
      case .down: [.perform(.view(.smaller), count: 1)]
      case .left, .right: []
      }
    }
    guard surroundings.isZoomed || layout.picture.contains(point) else { return [] }
    return switch direction {
    case .up: [.touch, .zoom(1, at: point)]
    case .down: [.touch, .zoom(-1, at: point)]
    case .left: [.pan(columns: -2, rows: 0)]
    case .right: [.pan(columns: 2, rows: 0)]
    }
  }

  private mutating func press(_ event: MouseEvent, _ surroundings: Surroundings) -> [Request] {
    deferred = nil
    message = nil
    _ = count.end()
    if slideshow.isRunning { return [.touch, .pauseSlideshow] }
    return [.touch] + choose(event, surroundings)
  }

  private mutating func choose(_ event: MouseEvent, _ surroundings: Surroundings) -> [Request] {
    let point = event.point
    if let command = surroundings.hint(point)?.command { return [.perform(command, count: 1)] }
    // The card and the carousel are hidden; a press only begins a drag.
    if surroundings.isZoomed { return [] }
    let layout = surroundings.layout
    let isOnCard = layout.picture.contains(point) || layout.info.contains(point)
    let thumbnail = surroundings.picture(point)
    // Two such clicks are no double click.
    if let thumbnail, let request = Self.mark(thumbnail, by: event.modifiers) {
      focus = .carousel
      return [request]
    }
    if let thumbnail {
      focus = .carousel
      guard
        let clicked = clicks.doubleClicked(point, on: thumbnail, at: surroundings.moment)
      else { return [.select(id: thumbnail)] }
      // The marked pictures are not the clicked one.
      return [
        .select(id: clicked),
        surroundings.isInTrash ? .restore(id: clicked) : .perform(.favorites(.show), count: 1),
      ]
    }
    let isDouble = clicks.isDouble(
      point, on: isOnCard ? surroundings.cardPicture : nil, at: surroundings.moment)
    if layout.carousel?.contains(point) == true {
      focus = .carousel
    } else if isOnCard {
      focus = .card
      // A double click on a favorite neither removes it nor selects it in the favorites.
      if isDouble, !surroundings.isCardPictureSaved {
        return [.perform(.favorites(.favorite), count: 1)]
      }
    }
    return []
  }

  /// Returns what a click on a picture marks; nil if it marks nothing.
  private static func mark(_ id: String, by modifiers: KeyModifiers) -> Request? {
    if modifiers.contains(.shift) { return .markRange(id: id) }
    return modifiers.isDisjoint(with: [.control, .alt]) ? nil : .mark(id: id)
  }

  private mutating func scroll(
    _ direction: MouseEvent.Direction, _ surroundings: Surroundings
  ) -> [Request] {
    guard surroundings.hasSelection, surroundings.layout.carousel != nil else { return [] }
    message = nil
    clicks = ClickCounter()
    let isGrid = surroundings.layout.isGrid
    return switch direction {
    case .up: [.move(isGrid ? .up : .left)]
    case .down: [.move(isGrid ? .down : .right)]
    case .left: [.move(.left)]
    case .right: [.move(.right)]
    }
  }
}

/// A command given before the favorites had been read.
struct DeferredCommand: Equatable {
  let command: Command
  let count: Int
  /// The identifier of the picture it applied to.
  let target: String?
}
