internal import Observation
internal import PandaCore
internal import Pantry

/// The program on the screen: it wires the two panes to the terminal and runs until the person
/// quits.
///
/// Everything here happens on the main actor and only when something happened: a key, a signal, a
/// change of the Store, a picture that is ready. Idle, it uses no processor time.
@MainActor
final class PandaApp {
  /// Which pane has the keyboard.
  enum Pane {
    case card, carousel
  }

  let keys = KeyTable.standard
  private let screen: Screen
  private let terminalGuard: TerminalGuard
  private let library: ImageLibrary
  private(set) var card: RedPandaCardView!
  private(set) var carousel: FavoritesCarouselView!
  private var keyboard: Keyboard!

  private var focus = Pane.card
  private var dialog: Dialog?
  private var message: Message?
  /// What moments are counted from.
  private let start = ContinuousClock.now
  private let configuration: Configuration
  private let party: StoredValue<Bool>
  private var terminal: DetectedTerminal
  private var isDrawScheduled = false
  private var isTicking = false
  private var isObserving = false
  private var writing: Task<Void, Never>?
  private var finish: CheckedContinuation<Void, Never>?

  /// Creates the program.
  ///
  /// - Parameters:
  ///   - source: where pictures come from; each pane gets a controller of its own on it.
  ///   - standIn: where one comes from while `source` lets wait.
  ///   - terminal: what is known of the terminal, and how pictures are to be shown in it.
  ///   - thumbnails: where thumbnails are kept.
  ///   - configuration: what the person set.
  init(
    screen: Screen, terminalGuard: TerminalGuard, library: ImageLibrary,
    source: any ImageSource, standIn: (any ImageSource)?, terminal: DetectedTerminal,
    thumbnails: ThumbnailCache, configuration: Configuration
  ) throws(TerminalError) {
    self.screen = screen
    self.terminalGuard = terminalGuard
    self.library = library
    self.terminal = terminal
    self.configuration = configuration
    let output = terminal.choice.path.output(on: screen, profile: terminal.profile)
    party = StoredValue(wrappedValue: false, key: "partyMode", directory: Self.stateDirectory)
    // Two controllers, one Store: the panes know of each other's favourites through it alone.
    card = RedPandaCardView(
      controller: ImagesController(library: library, source: source, standIn: standIn),
      output: output, onChange: { [weak self] in self?.setNeedsDraw() },
      onMessage: { [weak self] in self?.say($0) })
    carousel = FavoritesCarouselView(
      controller: ImagesController(library: library, source: source, standIn: standIn),
      output: output, thumbnails: thumbnails,
      slides: !configuration.reduceMotion, onChange: { [weak self] in self?.setNeedsDraw() },
      onMessage: { [weak self] in self?.say($0) })
    keyboard = Keyboard(
      terminalGuard: terminalGuard, early: terminal.input,
      onEvents: { [weak self] events in self?.handle(events) },
      onEnd: { [weak self] in self?.quit() })
    try draw(by: output)
  }

  /// Has the screen draw pictures by `output`.
  private func draw(by output: (any PictureOutput)?) throws(TerminalError) {
    screen.answeredCell = terminal.profile.cell
    screen.output = output
    // The images that the terminal holds are freed before its screen is given back.
    try terminalGuard.setRestore((output?.farewell ?? "") + TerminalModes.restore)
  }

  /// Shows pictures in the way that a late answer of the terminal has made possible.
  private func followTerminal() {
    let output = terminal.choice.path.output(on: screen, profile: terminal.profile)
    do {
      try draw(by: output)
    } catch {
      // Too late: the program is being ended.
      return
    }
    card.show(by: output)
    carousel.show(by: output)
    screen.invalidate()
  }

  /// Where what the program remembers of itself is kept.
  private static let stateDirectory = StorageDirectory.state(appendingPath: "panda")

  /// Runs until the person quits or the terminal is gone; what was being saved is saved then.
  func run() async {
    keyboard.start()
    setNeedsDraw()
    card.fetch()
    Task { await load() }
    await withCheckedContinuation { finish = $0 }
    keyboard.stop()
    await writing?.value
    // What cannot be written is as it was at the next start; there is nobody left to tell.
    try? await party.flush()  // see above
    keyboard.drain()
  }

  /// Reacts to signals that do not end the program.
  func handle(_ signals: Set<TerminalGuard.Signal>) {
    if signals.contains(.stopRequested) {
      suspend()
    } else if signals.contains(.continued) {
      screen.resume()
    } else if signals.contains(.resized) {
      screen.resize()
    }
    setNeedsDraw()
  }

  // MARK: Input

  private func handle(_ events: [InputEvent]) {
    for event in events {
      switch event {
      case .key(let key): handle(key)
      case .reply(let reply): if terminal.takeLate(reply) { followTerminal() }
      default: break
      }
    }
    setNeedsDraw()
  }

  private func handle(_ key: Key) {
    if let dialog {
      switch dialog.handle(key, keys: keys) {
      case .stay(let next): self.dialog = next
      case .close: self.dialog = nil
      case .clear:
        self.dialog = nil
        write { await self.carousel.clear() }
      }
      if keys.command(for: key) == .redraw { screen.invalidate() }
      return
    }
    guard let command = keys.command(for: key) else { return }
    message = nil
    perform(command)
  }

  private func perform(_ command: Command) {
    switch command {
    case .fetch: card.fetch()
    case .favorite: favorite()
    case .remove: write { await self.focus == .card ? self.card.remove() : self.carousel.remove() }
    case .clear: askToClear()
    case .nextPane: focus = focus == .card ? .carousel : .card
    case .show:
      if let image = carousel.selected { card.show(image) }
    case .left: carousel.move(.left)
    case .right: carousel.move(.right)
    case .first: carousel.move(.first)
    case .last: carousel.move(.last)
    case .pageLeft: carousel.move(.pageLeft)
    case .pageRight: carousel.move(.pageRight)
    case .party: toggleParty()
    case .help: dialog = .help(firstLine: 0)
    case .cancel: card.cancel()
    case .redraw: screen.invalidate()
    case .suspend: suspend()
    case .quit: quit()
    }
  }

  /// Saves the picture on the card; one that is saved already is looked up in the carousel.
  private func favorite() {
    guard let image = card.state.shown?.image else { return }
    if card.isShownSaved {
      carousel.select(image)
      focus = .carousel
    } else {
      write { await self.card.save() }
    }
  }

  private func toggleParty() {
    party.projectedValue.toggle()
    say(.info(party.wrappedValue ? "Party mode! p ends it" : "The party is over"))
  }

  private func askToClear() {
    let count = carousel.controller.images.count
    if count == 0 {
      say(.info("There are no favorites to remove"))
    } else {
      dialog = .clear(count: count, answersYes: false)
    }
  }

  /// Does what changes the Store, one after another, and lets quitting wait for it.
  private func write(_ work: @escaping @MainActor () async -> Void) {
    writing = Task { [previous = writing] in
      await previous?.value
      await work()
    }
  }

  private func quit() {
    finish?.resume()
    finish = nil
  }

  private func suspend() {
    screen.leave()
    do {
      try terminalGuard.suspend()
    } catch {
      say(.problem("\(error)"))
    }
    screen.resume()
  }

  // MARK: The Store

  private func load() async {
    do {
      try await library.favorites.itemsHaveLoaded()
      let issues = library.favorites.loadIssues.count
      if issues > 0 {
        say(
          .problem(
            "\(issues) of your favorites could not be read; they are left on disk as they are"))
      }
    } catch {
      carousel.problem = "Your favorites cannot be opened"
      say(.problem(calmSentence(for: error)))
    }
    setNeedsDraw()
  }

  /// Observes the favourites through both controllers until the next change.
  private func observe() {
    guard !isObserving else { return }
    isObserving = true
    withObservationTracking {
      _ = card.controller.images
      _ = carousel.controller.images
      _ = carousel.controller.imagesHaveLoaded
    } onChange: { [weak self] in
      // The Store changes on the main actor; this is told right before it does.
      MainActor.assumeIsolated {
        self?.isObserving = false
        self?.setNeedsDraw()
      }
    }
    carousel.update()
  }

  // MARK: Drawing

  /// Shows a message until the next key.
  func say(_ message: Message) {
    self.message = message
    setNeedsDraw()
  }

  /// Draws in the next turn: however much happens in this one, it is one frame.
  private func setNeedsDraw() {
    guard !isDrawScheduled else { return }
    isDrawScheduled = true
    Task {
      isDrawScheduled = false
      draw()
    }
  }

  private func draw() {
    guard finish != nil else { return }
    TerminalGuard.prepareThread()
    observe()
    do {
      try screen.present(frame())
    } catch {
      // The terminal is gone: there is nobody to tell.
      quit()
    }
    keepTicking()
  }

  /// What the screen should look like now.
  private func frame() -> Canvas {
    var canvas = Canvas(size: screen.size)
    let layout = Layout(screen.size)
    if let frame = layout.frame {
      canvas.drawFrame(
        frame, title: "Red Panda", ink: .dim, titleInk: focus == .card ? .title : .dim)
      if let row = layout.dividerRow {
        let divider = CellRect(column: 0, row: row, columns: frame.columns, rows: 2)
        let line = String(repeating: "─", count: frame.columns - 2)
        canvas.draw("├\(line)┤", at: CellPoint(column: 0, row: row), ink: .dim)
        canvas.drawTitle(
          carousel.title, in: divider, ink: focus == .carousel ? .title : .dim)
      }
    }
    let moment = moment
    card.party = partyNow
    card.draw(layout, cell: screen.cell, moment: moment, into: &canvas)
    carousel.draw(
      layout, cell: screen.cell, isFocused: focus == .carousel, moment: moment, into: &canvas)
    drawBottom(layout, into: &canvas)
    dialog?.draw(keys: keys, into: &canvas)
    return canvas
  }

  private func drawBottom(_ layout: Layout, into canvas: inout Canvas) {
    if layout.status.row != layout.hints.row || message == nil {
      HintBar(keys, words: words).draw(in: layout.hints, into: &canvas)
    }
    guard let message else { return }
    let ink: Ink =
      switch message {
      case .info: .plain
      case .problem: .problem
      }
    canvas.draw(
      message.text.sanitized(upTo: 500).clipped(to: layout.status.columns),
      at: CellPoint(column: layout.status.column, row: layout.status.row), ink: ink)
  }

  /// What the keys mean now, where that differs.
  private var words: [Command: String] {
    let hasFavorites = !carousel.controller.images.isEmpty
    var words: [Command: String] = [.nextPane: focus == .card ? "carousel" : "card"]
    if card.isShownSaved { words[.favorite] = "view favorite" }
    if card.state.shown == nil { words[.favorite] = "" }
    if !hasFavorites {
      words[.show] = ""
      words[.clear] = ""
      words[.remove] = ""
    } else if focus == .card, !card.isShownSaved {
      words[.remove] = ""
    }
    return words
  }

  /// The time since the program started.
  private var moment: Duration { start.duration(to: .now) }

  /// How the rainbow moves, if there is one.
  private var partyNow: RedPandaCardView.Party {
    guard party.wrappedValue else { return .off }
    guard !configuration.reduceMotion else { return .still }
    return .moving(screen.output?.redrawsCheaply == true ? .milliseconds(100) : .milliseconds(400))
  }

  /// How long the frame that was just drawn is right; nil for ever.
  private var frameDuration: Duration? {
    if carousel.isMoving(at: moment) { return .milliseconds(33) }
    if card.isAnimating { return Spinner.interval }
    if case .moving(let interval) = partyNow, card.showsPicture { return interval }
    return nil
  }

  /// Draws the next frame when this one is no longer right: never for what does not move.
  private func keepTicking() {
    guard !isTicking, let duration = frameDuration else { return }
    isTicking = true
    Task {
      // Sleeping fails only when the task is cancelled, which nobody does.
      try? await Task.sleep(for: duration)  // see above
      isTicking = false
      setNeedsDraw()
    }
  }
}
