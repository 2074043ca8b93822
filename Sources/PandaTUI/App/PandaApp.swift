internal import FoundationEssentials
internal import Observation
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The program on the screen: it wires the two panes to the terminal and runs until the person
/// quits.
///
/// Everything here happens on the main actor and only when something happened: a key, a signal, a
/// change of the Store, a picture that is ready. Idle, it uses no processor time.
@MainActor
final class PandaApp {
  let keys: KeyTable
  let screen: Screen
  private let terminalGuard: TerminalGuard
  let library: ImageLibrary
  private(set) var card: RedPandaCardView!
  private(set) var carousel: FavoritesCarouselView!
  private var keyboard: Keyboard!

  var focus = Pane.card
  var dialog: Dialog?
  var message: Message?
  /// What went wrong last.
  var trouble: Trouble?
  /// The filter while it is being typed.
  var filterField: TextField?
  var count = CountPrefix()
  var slideshow = Slideshow()
  var clicks = ClickCounter()
  /// The command that waits until the favorites have been read.
  var deferred: DeferredCommand?
  /// Where the hint bar shows which command, for the mouse.
  var hintPlaces: [(rect: CellRect, command: Command)] = []
  /// What moments are counted from.
  private let start = ContinuousClock.now
  let configuration: Configuration
  let party: StoredValue<Bool>
  let order: StoredValue<FavoritesOrder>
  /// The sources that take turns; nil where there is but one.
  let ring: SourceRing?
  /// The sources that are switched off; kept.
  let disabledSources: StoredValue<[String]>
  /// How many pandas were on the card, ever.
  let met: StoredValue<Int>
  private let lastLaunch: StoredValue<Date?>
  /// Looks for favorites in the place of an earlier version.
  var findFormerFavorites: @Sendable () async -> FormerFavorites? = { nil }
  private(set) var terminal: DetectedTerminal
  private let dispatchMonitor = DispatchMonitor()
  private var isDrawScheduled = false
  private var isTicking = false
  private var isObserving = false
  private var isLoading = false
  private var writing: Task<Void, Never>?
  private(set) var finish: CheckedContinuation<Void, Never>?

  /// Creates the program.
  ///
  /// - Parameters:
  ///   - sources: where pictures come from, and what stands in; each pane gets a controller of its
  ///     own on them.
  ///   - terminal: what is known of the terminal, and how pictures are to be shown in it.
  ///   - thumbnails: where thumbnails are kept.
  ///   - configuration: what the person set.
  init(
    screen: Screen, terminalGuard: TerminalGuard, library: ImageLibrary,
    sources: PictureSources, terminal: DetectedTerminal,
    thumbnails: ThumbnailCache, configuration: Configuration
  ) throws(TerminalError) {
    self.screen = screen
    self.terminalGuard = terminalGuard
    self.library = library
    self.terminal = terminal
    self.configuration = configuration
    keys = configuration.keyTable
    let output = terminal.choice.path.output(on: screen, profile: terminal.profile)
    party = Remembered.party()
    order = Remembered.order()
    ring = sources.ring
    disabledSources = Remembered.disabledSources()
    met = Remembered.met()
    lastLaunch = Remembered.lastLaunch()
    // Two controllers, one Store: the panes know of each other's favourites through it alone.
    card = RedPandaCardView(
      controller: sources.controller(library),
      output: output, configuration: configuration,
      onChange: { [weak self] in self?.setNeedsDraw() },
      onMessage: { [weak self] in self?.say($0) },
      onTrouble: { [weak self] in self?.trouble = $0 },
      onMeeting: { [weak self] in self?.met.update { $0 += 1 } })
    carousel = FavoritesCarouselView(
      controller: sources.controller(library),
      output: output, thumbnails: thumbnails, order: order.wrappedValue,
      slides: !configuration.reduceMotion, keys: keys,
      onChange: { [weak self] in self?.setNeedsDraw() },
      onMessage: { [weak self] in self?.say($0) },
      onTrouble: { [weak self] in self?.trouble = $0 })
    keyboard = Keyboard(
      terminalGuard: terminalGuard, early: terminal.input,
      onEvents: { [weak self] events in self?.handle(events) },
      onEnd: { [weak self] in self?.quit() })
    screen.inputModes = TerminalModes.pasteOn + (configuration.mouse ? TerminalModes.mouseOn : "")
    try draw(by: output)
  }

  /// Has the screen draw pictures by `output`.
  private func draw(by output: (any PictureOutput)?) throws(TerminalError) {
    screen.answeredCell = terminal.profile.cell
    screen.theme = InkTheme(configuration.theme, profile: terminal.profile)
    screen.output = output
    // The images that the terminal holds are freed before its screen is given back.
    try terminalGuard.setRestore((output?.farewell ?? "") + TerminalModes.restore)
  }

  /// Takes an answer of the terminal that came late: pictures may be shown in another way then.
  private func take(_ reply: TerminalReply) {
    guard terminal.takeLate(reply) else { return }
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

  /// Runs until the person quits or the terminal is gone; what was being saved is saved then.
  func run() async {
    keyboard.start()
    setNeedsDraw()
    card.launch()
    Task { await load() }
    await withCheckedContinuation { finish = $0 }
    keyboard.stop()
    await writing?.value
    await library.close()
    // What cannot be written is as it was at the next start; there is nobody left to tell.
    try? await met.flush()  // see above
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

  private func handle(_ events: [InputEvent]) {
    for event in events {
      switch event {
      case .key(let key): handle(key)
      case .mouse(let event): handle(event)
      case .paste(let text): paste(text)
      case .reply(let reply): take(reply)
      case .focus: break
      }
    }
    setNeedsDraw()
  }

  /// Does what changes the Store, one after another, and lets quitting wait for it.
  func write(_ work: @escaping @MainActor () async -> Void) {
    writing = Task { [previous = writing] in
      await previous?.value
      await work()
    }
  }

  func quit() {
    finish?.resume()
    finish = nil
  }

  func suspend() {
    screen.leave()
    do {
      try terminalGuard.suspend()
    } catch {
      say(.problem(userMessage(for: error)))
    }
    screen.resume()
  }

  // MARK: The Store

  /// Reads the favorites, again after it has failed.
  func load() async {
    guard !isLoading else { return }
    isLoading = true
    defer { isLoading = false }
    let hadFailed = carousel.problem != nil
    do {
      try await library.favorites.itemsHaveLoaded()
      if hadFailed { say(.info("Your favorites have been read")) }
      welcome()
      performDeferred()
      let issues = library.favorites.loadIssues.count
      if issues > 0 {
        say(
          .problem(
            "\(issues) of your favorites could not be read; they are left on disk as they are"))
      }
      try await library.emptyTrash()
      if library.favorites.items.isEmpty {
        carousel.emptyHint = await findFormerFavorites()?.sentence
      }
    } catch {
      trouble = Trouble("Opening your favorites failed", error)
      if !library.favorites.hasLoaded { carousel.problem = "Your favorites cannot be opened" }
      say(.problem(userMessage(for: error)))
    }
    setNeedsDraw()
  }

  /// Greets who was here before, and remembers that they were here now.
  private func welcome() {
    let layout = Layout(screen.size)
    // Where there is one line for all, the keys are worth more.
    if layout.status.row != layout.hints.row {
      let greeting = lastLaunch.wrappedValue.map {
        "Welcome back. You were here last on \(PictureDay($0).words)"
      }
      say(.news(greeting ?? firstLine))
    }
    lastLaunch.set(Date())
  }

  /// The line of the first launch: the three keys that matter.
  private var firstLine: String {
    let keys: [(Command, String)] = [
      (.fetch, "fetches another panda"), (.favorite, "keeps it"), (.help, "shows all keys"),
    ]
    return keys.flatMap { self.keys.deed($0, $1) }.joined(separator: " · ")
  }

  /// Observes what the screen shows of the stores, until the next change.
  private func observe() {
    guard !isObserving else { return }
    isObserving = true
    withObservationTracking {
      _ = card.controller.images
      _ = carousel.controller.images
      _ = carousel.controller.imagesHaveLoaded
      _ = carousel.controller.imagesExcerpt
      _ = library.seen.items
      if case .text(let text) = dialog, let subject = text.subject {
        _ = library.source(subject.source)
      }
      if carousel.collection == .trash { _ = library.trash.items }
    } onChange: { [weak self] in
      // The Store changes on the main actor; this is told right before it does.
      MainActor.assumeIsolated {
        self?.isObserving = false
        self?.setNeedsDraw()
      }
    }
    carousel.update()
  }

  /// Observes something else from the next frame on.
  func observeAnew() {
    isObserving = false
    setNeedsDraw()
  }

  // MARK: Drawing

  /// Where everything is on the screen now.
  var layout: Layout {
    slideshow.isRunning ? Layout(slideshow: screen.size) : Layout(screen.size)
  }

  /// The pane that commands are about: the one with the keyboard, if it can be seen.
  var pane: Pane { layout.pane(withFocus: focus) }

  /// Shows a message until the next key.
  func say(_ message: Message) {
    guard message.replaces(self.message) else { return }
    self.message = message
    setNeedsDraw()
  }

  /// Draws in the next turn: however much happens in this one, it is one frame.
  func setNeedsDraw() {
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
    dispatchMonitor.activity()
  }

  /// The time since the program started.
  var moment: Duration { start.duration(to: .now) }

  /// How long the frame that was just drawn is right; nil for ever.
  private var frameDuration: Duration? {
    if carousel.isMoving(at: moment) { return .milliseconds(33) }
    if card.isAnimating { return Spinner.interval }
    if case .moving(let interval) = partyNow, card.showsPicture { return interval }
    if case .sources(let dialog) = dialog, dialog.countsDown { return .seconds(1) }
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
