internal import FoundationEssentials
internal import Observation
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import TerminalKit

/// The program on the screen: turns events into commands and what the stores have into frames.
///
/// A frame is one value made in one tracking scope: everything it shows is observed. It is made
/// anew when any of that changes, whether because of a key, a decoded picture or another terminal.
/// An idle program waits for nothing and uses no CPU time.
@MainActor
final class PandaApp {
  let context: CommandContext
  let commands: Commands
  let loading: FavoritesLoading
  private let view: ScreenView
  private let sketch: Task<RemoteImage?, Never>?
  /// The picture frame to begin with.
  private let slideshow: SlideshowRequest?
  /// The terminal's capabilities, queried again while the program runs.
  let follower: TerminalFollower
  /// The time of the next animation frame; nil if nothing moves.
  private var nextTick: Duration?
  private var pace = FramePace()
  /// The number of times that the window was resized.
  var resizes = 0
  /// When the terminal began to take the frame that is being shown; nil if it takes none.
  private var began: Duration?

  private var display: any Display { context.display }
  private var clock: any AppClock { context.clock }
  private var card: CardPresenter { context.card }
  private var favorites: FavoritesPresenter { context.favorites }
  private var carousel: FavoritesCarouselView { context.carousel }
  private var log: Log { context.log }

  /// Creates the program on a display.
  ///
  /// - Parameter sketch: a sketch of the first panda, begun before the terminal was asked; nil
  ///   after a first launch.
  /// - Throws: ``TerminalError`` once the program is ending.
  init(
    _ session: Session, _ terminal: DetectedTerminal, sketch: Task<RemoteImage?, Never>? = nil,
    frame: SlideshowRequest? = nil, picking: Picking? = nil, on display: any Display,
    clock: any AppClock
  ) throws(TerminalError) {
    follower = TerminalFollower(terminal, on: display)
    try display.adopt(terminal.profile, terminal.choice, theme: session.configuration.theme)
    let context = CommandContext(session, picking: picking, on: display, clock: clock)
    self.context = context
    self.sketch = sketch
    slideshow = frame
    var perform: (@MainActor () -> Void)?
    let loading = FavoritesLoading(context) { perform?() }
    let commands = Commands(context: context) { [weak loading] in Task { await loading?.load() } }
    perform = { commands.performDeferred() }
    self.commands = commands
    self.loading = loading
    view = ScreenView(commands)
    context.onDamage = { [weak loading] damage in
      Task { await loading?.recover(after: damage) }
    }
    followTerminal()
    display.onShown = { [weak self] bytes in self?.wasTaken(bytes) }
    display.onLoss = { [weak context] error in context?.lose(error) }
    guard picking == nil else { return }
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
    follower.begin()
    if let slideshow {
      loading.begin()
      CardCommands(context: context).begin(slideshow)
    } else if context.picking == nil {
      card.launch(drawsPictures: context.cardView.drawsPictures, sketch: sketch)
    }
    Task {
      // The load reports a failure.
      try? await favorites.controller.excerptHasBeenRead()
      context.isExcerptRead = true
    }
    let following = Task {
      for await connection in Watch({ self.favorites.controller.library.favorites.connection }) {
        loading.receive(connection)
      }
    }
    let logging = Task {
      for await failure in context.session.logFailures {
        context.fail("The log is not written", failure)
      }
    }
    for await _ in context.end {}
    logging.cancel()
    following.cancel()
    clock.after(Self.quietEnd) { [weak context] in
      guard let context else { return }
      context.say(.problem(StorageWords.waiting(for: context.card.controller.library.serverName)))
    }
    await context.actionsHaveEnded()
    // What was chosen is still read.
    if context.picking == nil { await card.controller.library.close() }
    drawing.cancel()
    // Its answer would keep the context.
    context.model.dialog = nil
  }

  /// The time after which the program says what ending waits for.
  static let quietEnd = Duration.seconds(1)

  func handle(_ events: [InputEvent]) {
    // Only the end is waited for, which Ctrl-C cuts short.
    guard !context.hasEnded else { return }
    loading.begin()
    for event in events {
      switch event {
      case .key(let key, let base):
        // Reports are off while the program is suspended; who presses keys has the focus.
        focus(true)
        follow(context.model.handle(key, base: base, in: surroundings))
      case .mouse(let event): follow(context.model.handle(event, in: surroundings))
      case .paste(let text): follow(context.model.paste(text))
      case .reply(let reply): follower.receive(reply)
      case .focus(let isGained):
        focus(isGained)
        if isGained { follower.ask() }
      }
    }
  }

  private func focus(_ isGained: Bool) {
    guard isGained != context.hasFocus else { return }
    context.hasFocus = isGained
    // Paused animations look the same when resumed.
    context.redraw()
  }

  /// The current state that the handling of keys and clicks depends on.
  private var surroundings: ScreenModel.Surroundings {
    ScreenModel.Surroundings(
      keys: context.keys, layout: context.layout, cardPicture: card.image?.id,
      isCardPictureSaved: card.isShownSaved, isInTrash: context.isInTrash,
      isZoomed: context.zoom.isOpen, hasMatches: !favorites.list.isEmpty,
      hasSelection: favorites.selected != nil, moment: clock.moment,
      picture: { self.carousel.image(at: $0)?.id },
      hint: { point in self.view.hintPlaces.first { $0.rect.contains(point) }?.hint })
  }

  private func follow(_ requests: [ScreenModel.Request]) {
    for request in requests {
      if request.isChoice { card.recordChoice() }
      switch request {
      case .perform(let command, let count): commands.perform(command, count: count)
      case .touch: card.touch()
      case .filter(let text): favorites.filterText = text
      case .move(let move): favorites.move(move)
      case .select(let id): favorites.select(id: id)
      case .restore(let id): FavoritesCommands(context: context).restore([id])
      case .mark(let id): mark(.mark) { $0.mark(id: id) }
      case .markRange(let id): mark(.markRange) { $0.markRange(to: id) }
      case .confirmed(let question): question.answer.perform(())
      case .submit(let text, let input): input.answer.perform((text, input))
      case .source(let request): CardCommands(context: context).follow(request)
      case .collection(let request): CollectionsCommands(context: context).follow(request)
      case .zoom(let steps, let point):
        ZoomCommands(context: context).zoom(by: steps, at: point)
      case .pan(let columns, let rows):
        context.zoom.change { $0.pan(columns: columns, rows: rows) }
      case .pauseSlideshow: CardCommands(context: context).pauseSlideshow()
      case .redraw: context.invalidate()
      }
    }
  }

  /// Marks the clicked picture, or says why the command for that is not available.
  private func mark(
    _ command: Command.Favorites, _ body: (FavoritesPresenter) -> Void
  ) {
    if let reason = commands.reason(against: .favorites(command)) {
      return context.say(.info(reason))
    }
    body(favorites)
  }

  // MARK: Reports

  /// Says that nothing is saved, or that others could reach the favorites.
  private func reportPlace() {
    let library = context.session.library
    let warned = context.remembered.warnedDirectory
    if let trouble = context.placeTrouble {
      context.record(trouble)
      context.say(.problem(StorageWords.notSaved))
    } else if let warning = StorageWords.warning(
      of: library.exposure, known: warned.wrappedValue)
    {
      // The report of the recovery matters more than that of the repair.
      if !loading.hasRecovered { context.say(.problem(warning)) }
      log.notice(.storage, warning)
      warned.set(library.exposure.place)
    }
  }

  /// Says which settings are ignored: the first one at once, and all behind a key.
  private func reportSettings() {
    let label = context.keys.label(of: .program(.problem))
    let others = label.isEmpty ? "panda doctor shows" : "\(label) shows"
    if let summary = context.settingsIgnored.summary(others: others) {
      context.say(.problem(summary))
    }
  }

  // MARK: Frames

  /// The content of the screen; equal frames are shown once.
  struct Frame: Equatable, Sendable {
    let canvas: Canvas
    /// Distinguishes frames that look the same but have to be shown again.
    let redraws: Int
    let isExcerptRead: Bool
    /// The drawn places, which can change while the canvas does not.
    ///
    /// They do so at the end of a text, for example.
    let drawn: ScreenView.Drawing
  }

  private func frame() -> Frame {
    let canvas = view.canvas()
    return Frame(
      canvas: canvas, redraws: context.redraws, isExcerptRead: context.isExcerptRead,
      drawn: view.drawn)
  }

  private func present(_ frame: Frame) {
    if !display.isBusy { began = clock.moment }
    display.present(frame.canvas)
    view.wasShown(frame.drawn)
    card.wasShown()
    let hasDrawnPicture = context.cardView.hasDrawnPicture
    // Hidden pictures would take processor time that the first visible ones need.
    if context.isExcerptRead, carousel.shown.hasThumbnails, hasDrawnPicture != false {
      loading.begin()
      if hasDrawnPicture == true { card.picturesWereDrawn() }
    }
    keepTicking()
  }

  /// Notes that the terminal has taken all that was shown.
  private func wasTaken(_ bytes: Int) {
    if let began { pace.record(clock.moment - began, for: bytes) }
    began = nil
    view.isTerminalSlow = pace.pause > GroveMotion.moment
    // The terminal may have been given the picture.
    if card.isWaiting, card.next == nil { context.redraw() }
    keepTicking()
  }

  /// Schedules the next frame if the current one is animated.
  ///
  /// While the terminal takes one, nothing moves: the frames that come due are left out.
  private func keepTicking() {
    guard !display.isBusy, let duration = view.frameDuration(pausing: pace.pause) else { return }
    let due = clock.moment + duration
    // An earlier deadline does not wait for a later one.
    if let nextTick, nextTick <= due { return }
    nextTick = due
    clock.after(duration) { [weak self] in
      guard let self, nextTick == due else { return }
      nextTick = nil
      if !display.isBusy { context.redraw() }
    }
  }
}
