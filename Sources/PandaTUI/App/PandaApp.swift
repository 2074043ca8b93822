internal import FoundationEssentials
internal import Observation
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The program on the screen: turns events into actions and the stores' contents into frames.
///
/// A frame is one value made in one tracking scope: everything it shows is observed. It is made
/// anew when any of that changes, whether because of a key, a decoded picture or another terminal.
/// An idle program waits for nothing and uses no CPU time.
@MainActor
@Observable
final class PandaApp {
  /// The dependencies of the program; tests replace some of them.
  struct Parts {
    let library: ImageLibrary
    let sources: PictureSources
    let thumbnails: ThumbnailCache
    /// Keeps pictures of the card that take long to decode.
    var previews: PreviewCache?
    let configuration: Configuration
    let remembered: Remembered
    /// The terminal, and the way it shows pictures.
    let terminal: DetectedTerminal
    /// Receives what happens, with every cause.
    var log = Log.off
    /// What is wrong in the configuration file, for the user to look up.
    var settingsIgnored: [ConfigurationProblem] = []
    /// The failure to write the log, at most one.
    var logFailures = AsyncStream<LogFileError> { $0.finish() }
  }

  var model = ScreenModel()
  /// Whether the terminal's window has the keyboard focus, as far as the terminal reports it.
  private(set) var hasFocus = true
  /// Incremented to redraw a frame whose content has not changed.
  private var redraws = 0

  @ObservationIgnored let display: any Display
  @ObservationIgnored let clock: any AppClock
  @ObservationIgnored let parts: Parts
  @ObservationIgnored let keys: KeyTable
  @ObservationIgnored private(set) var terminal: DetectedTerminal
  @ObservationIgnored private(set) var card: CardPresenter!
  @ObservationIgnored private(set) var cardView: RedPandaCardView!
  @ObservationIgnored private(set) var carousel: FavoritesCarouselView!
  @ObservationIgnored private(set) var zoom: ZoomView!
  /// The commands shown in the hint bar with their places, for the mouse.
  @ObservationIgnored var hintPlaces: [(rect: CellRect, hint: HintBar.Hint)] = []
  /// Whether the newest favorites are known, or could not be read.
  private var isExcerptRead = false
  /// The identifiers of collections that are about to be deleted.
  var deleting: Set<String> = []
  /// The collections that were deleted in this run, the last one at the end.
  var deletedCollections: [SavedFilter] = []
  /// The collections of marked favorites that were made in this run, with their tags.
  @ObservationIgnored var collected: [(collection: SavedFilter, tag: String)] = []
  @ObservationIgnored var loading = Loading()
  @ObservationIgnored var recovery: Task<Bool, Never>?
  /// Whether the file was recovered in this run.
  @ObservationIgnored var hasRecovered = false
  /// Shuffles slideshows; tests replace it.
  @ObservationIgnored var generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
  /// When the next frame of what moves is to be made; nil if nothing moves.
  @ObservationIgnored private var nextTick: Duration?
  @ObservationIgnored private var pace = FramePace()
  @ObservationIgnored private var isSuspending = false
  @ObservationIgnored private var begun: Task<Void, Never>?
  @ObservationIgnored private var finish: CheckedContinuation<Void, Never>?
  @ObservationIgnored private(set) var hasEnded = false

  var configuration: Configuration { parts.configuration }
  var remembered: Remembered { parts.remembered }
  var log: Log { parts.log }
  /// The sources that take turns; nil if there is only one.
  var ring: SourceRing? { parts.sources.ring }

  /// Creates the program on a display.
  ///
  /// - Throws: ``TerminalError`` once the program is ending.
  init(_ parts: Parts, on display: any Display, clock: any AppClock) throws(TerminalError) {
    self.parts = parts
    self.display = display
    self.clock = clock
    terminal = parts.terminal
    keys = parts.configuration.keyTable
    try display.adopt(
      terminal.profile, terminal.choice, theme: parts.configuration.theme,
      colors: parts.configuration.colors)
    let report: @MainActor (PaneReport) -> Void = { [weak self] in self?.take($0) }
    // Two controllers, one Store: each pane learns of the other's favorites through the Store
    // alone.
    card = CardPresenter(
      controller: parts.sources.controller(parts.library), configuration: parts.configuration,
      clock: clock, report: report)
    cardView = RedPandaCardView(
      card, output: display.output, previews: parts.previews, keys: keys, log: parts.log)
    carousel = FavoritesCarouselView(
      controller: parts.sources.controller(parts.library), output: display.output,
      thumbnails: parts.thumbnails, order: parts.remembered.order.wrappedValue,
      slides: !parts.configuration.reduceMotion, keys: keys, now: { clock.date }, log: parts.log,
      report: report)
    zoom = ZoomView(output: display.output, log: parts.log)
    reportMissingLibrary()
    reportPlace()
    reportSettings()
  }

  // MARK: The run loop

  /// Runs until the user quits or the terminal is gone.
  ///
  /// All pending actions are saved before it returns.
  func run() async {
    let drawing = Task {
      for await frame in Watch({ self.frame() }) { present(frame) }
    }
    card.launch(drawsPictures: cardView.drawsPictures)
    Task {
      // A failure is told by the load.
      try? await carousel.controller.excerptHasBeenRead()  // see above
      isExcerptRead = true
    }
    let following = Task {
      for await connection in Watch({ self.carousel.controller.connection }) { take(connection) }
    }
    let logging = Task {
      for await failure in parts.logFailures { fail("The log is not written", failure) }
    }
    await withCheckedContinuation { continuation in
      finish = continuation
      if hasEnded { quit() }
    }
    logging.cancel()
    following.cancel()
    clock.after(Self.quietEnd) { [weak self] in
      guard let self else { return }
      say(.problem(PlaceWords.waiting(for: carousel.controller.serverName)))
    }
    await begun?.value
    await card.controller.close()
    drawing.cancel()
  }

  /// How long the end may take before it says what it waits for.
  static let quietEnd = Duration.seconds(1)

  /// Ends the run.
  func quit() {
    hasEnded = true
    finish?.resume()
    finish = nil
  }

  /// Ends the run because the terminal is gone, so that no message can be shown.
  func lose(_ error: TerminalError) {
    log.error(.terminal, "The terminal is gone: \(technicalCause(of: error))")
    quit()
  }

  /// Handles events from the terminal.
  func handle(_ events: [InputEvent]) {
    // Only the end is waited for, which Ctrl-C cuts short.
    guard !hasEnded else { return }
    beginLoading()
    for event in events {
      switch event {
      case .key(let key):
        // Reports are off while the program is suspended; who presses keys has the focus.
        focus(true)
        follow(model.handle(key, in: surroundings))
      case .mouse(let event): follow(model.handle(event, in: surroundings))
      case .paste(let text): follow(model.paste(text))
      case .reply(let reply): take(reply)
      case .focus(let isGained): focus(isGained)
      }
    }
  }

  private func focus(_ isGained: Bool) {
    guard isGained != hasFocus else { return }
    hasFocus = isGained
    // What stood still looks the same as it goes on.
    redraw()
  }

  /// Handles signals that do not terminate the program.
  func handle(_ signals: Set<TerminalGuard.Signal>) {
    if signals.contains(.stopRequested) {
      log.notice(.terminal, "Asked to stop by a signal")
      perform(.suspend)
    } else if signals.contains(.continued) {
      log.notice(.terminal, "Continued by a signal")
      display.resume()
    } else if signals.contains(.resized) {
      display.resize()
    }
    redraw()
  }

  /// Runs actions one after another; quitting waits for them.
  func begin(_ action: @escaping @MainActor () async -> Void) {
    begun = Task { [previous = begun] in
      await previous?.value
      await action()
    }
  }

  /// Stops the program after all pending actions, between two writes.
  ///
  /// A stopped program that held a lock would keep every other one from writing.
  func suspend() {
    guard !isSuspending else { return }
    isSuspending = true
    begin { [self] in
      await parts.library.betweenWrites {
        do {
          try display.suspend()
        } catch {
          log.error(.terminal, "Not suspended: \(technicalCause(of: error))")
          say(.problem(userMessage(for: error)))
        }
      }
      isSuspending = false
      redraw()
    }
  }

  /// Redraws everything.
  func invalidate() {
    display.invalidate()
    redraw()
  }

  private func redraw() { redraws += 1 }

  /// Handles a late answer of the terminal, which may change how pictures are shown.
  private func take(_ reply: TerminalReply) {
    let lackedLibrary = terminal.choice.lacksLibrary
    let hasChanged = terminal.applyLate(reply)
    if terminal.choice.lacksLibrary != lackedLibrary { reportMissingLibrary() }
    guard hasChanged else { return }
    log.notice(.terminal, "A late answer: \(TerminalWords.sentence(terminal))")
    do {
      try display.adopt(
        terminal.profile, terminal.choice, theme: configuration.theme, colors: configuration.colors)
    } catch {
      // Too late: the program is already ending.
      return
    }
    cardView.show(by: display.output)
    carousel.show(by: display.output)
    zoom.show(by: display.output)
    redraw()
  }

  // MARK: Reports

  /// Shows a message until the next key.
  func say(_ message: Message) {
    model.say(keys.isForKiosk ? message.withoutPaths : message)
  }

  func take(_ report: PaneReport) {
    switch report {
    case .message(let message): say(message)
    case .trouble(let trouble):
      keep(trouble)
      if trouble.isDamage { Task { await recover(after: trouble) } }
    }
  }

  /// Keeps the cause of a problem for the user to look up, and for the log.
  func keep(_ trouble: Trouble) {
    model.trouble = trouble
    log.error(trouble)
  }

  /// Reports a failure, and keeps its cause.
  func fail(_ what: String, _ error: any Error) {
    keep(Trouble(what, error, at: clock.date))
    say(.problem(userMessage(for: error).sanitized(upTo: 300)))
  }

  /// Why nothing is saved, for the user to look up; nil if everything is.
  var placeTrouble: Trouble? {
    parts.library.reasonNotSaved.map { Trouble(PlaceWords.notSaved, $0, at: clock.date) }
  }

  /// Says that nothing is saved, or that others could reach the favorites.
  private func reportPlace() {
    let library = parts.library
    if let trouble = placeTrouble {
      keep(trouble)
      say(.problem(PlaceWords.notSaved))
    } else if let warning = PlaceWords.warning(
      of: library.exposure, known: remembered.warnedDirectory.wrappedValue)
    {
      // What was recovered matters more than what is mended.
      if !hasRecovered { say(.problem(warning)) }
      log.notice(.storage, warning)
      remembered.warnedDirectory.set(library.exposure.writableDirectory)
    }
  }

  // MARK: Frames

  /// The content of the screen; equal frames are shown once.
  struct Frame: Equatable, Sendable {
    let canvas: Canvas
    /// Distinguishes frames that look the same but have to be shown again.
    let redraws: Int
    let isExcerptRead: Bool
  }

  private func frame() -> Frame {
    Frame(canvas: canvas(), redraws: redraws, isExcerptRead: isExcerptRead)
  }

  private func present(_ frame: Frame) {
    do {
      let moment = clock.moment
      try display.present(frame.canvas)
      pace.note(clock.moment - moment)
    } catch {
      lose(error)
    }
    // What is not on the screen takes processor time that the first pictures need.
    if isExcerptRead, carousel.hasDrawnThumbnails, cardView.hasDrawnPicture != false {
      beginLoading()
      if cardView.hasDrawnPicture == true { card.picturesWereDrawn() }
    }
    keepTicking()
  }

  /// How long the current frame stays valid; nil means forever.
  private var frameDuration: Duration? {
    if carousel.isMoving(at: clock.moment) { return .milliseconds(33) }
    var durations: [Duration] = []
    let isCardHidden = zoom.isOpen || layout.isWholeGrid
    if card.isAnimating, !isCardHidden { durations.append(Spinner.interval) }
    if case .moving(let interval) = partyNow, cardView.showsPicture, !isCardHidden {
      durations.append(interval)
    }
    let moment = clock.moment
    let waits = [cardView.wait(at: moment), carousel.wait(at: moment), zoom.wait(at: moment)]
    durations += waits.compactMap { $0 }.map { max($0, pace.pause) }
    if case .sources(let dialog) = model.dialog, dialog.countsDown { durations.append(.seconds(1)) }
    return durations.min()
  }

  /// Schedules the next frame if the current one is animated.
  private func keepTicking() {
    guard let duration = frameDuration else { return }
    let due = clock.moment + duration
    // What is due sooner does not wait for what is due later.
    if let nextTick, nextTick <= due { return }
    nextTick = due
    clock.after(duration) { [weak self] in
      guard let self, nextTick == due else { return }
      nextTick = nil
      redraw()
    }
  }
}
