internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import PictureCodecs
internal import SystemSupport
internal import TerminalKit

/// The context of commands: the panes, their target picture, messages and questions to the user.
///
/// All that a frame shows of it is observable.
@MainActor
final class CommandContext {
  @Observed var model = ScreenModel()
  /// Incremented to redraw a frame whose content has not changed.
  @Observed private(set) var redraws = 0
  /// Whether the terminal's window has the keyboard focus, as far as the terminal reports it.
  @Observed var hasFocus = true
  /// Whether the newest favorites are known, or could not be read.
  @Observed var isExcerptRead = false
  /// The identifiers of collections that are about to be deleted.
  @Observed var deletingCollections: Set<String> = []

  let session: Session
  /// What the screen is for, if it is only for choosing.
  let picking: Picking?
  /// The problems in the configuration file, for the user to look up.
  let settingsIgnored: [ConfigurationProblem]
  let display: any Display
  let clock: any AppClock
  let keys: KeyTable
  private(set) var card: CardPresenter!
  private(set) var cardView: RedPandaCardView!
  private(set) var favorites: FavoritesPresenter!
  private(set) var carousel: FavoritesCarouselView!
  private(set) var zoom: ZoomView!
  /// Shuffles slideshows; tests replace it.
  var generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
  var onDamage: @MainActor (Trouble) -> Void = { _ in }
  var askTerminal: @MainActor () -> Void = {}
  var isSuspending = false
  private var begun: Task<Void, Never>?
  private(set) var hasEnded = false
  /// Failures to save after the program began to quit, when no message can be read.
  private var lateTroubles: [Trouble] = []
  /// Ends when the program is to end.
  let end: AsyncStream<Void>
  private let endContinuation: AsyncStream<Void>.Continuation

  var configuration: Configuration { session.configuration }
  var remembered: Remembered { session.remembered }
  var log: Log { session.log }
  var words: ActionWords { ActionWords(names: keys) }

  init(
    _ session: Session, picking: Picking?, on display: any Display, clock: any AppClock
  ) {
    self.session = session
    self.picking = picking
    self.display = display
    self.clock = clock
    settingsIgnored =
      picking == nil ? session.settings.untold(session.remembered.retiredSettings) : []
    keys =
      picking == nil ? session.configuration.keyTable : session.configuration.keyTable.forPicking
    (end, endContinuation) = AsyncStream.makeStream()
    let report: @MainActor (PaneReport) -> Void = { [weak self] in self?.receive($0) }
    // Two controllers, one Store: each pane learns of the other's favorites through the Store
    // alone.
    card = CardPresenter(
      controller: session.controller, configuration: configuration, clock: clock, report: report)
    cardView = RedPandaCardView(
      card, output: display.output,
      previews: session.places.previews.map { PreviewCache(directory: $0) }, keys: keys, log: log)
    favorites = FavoritesPresenter(
      controller: session.sources.controller(session.library),
      order: picking == nil ? remembered.order.wrappedValue : .newest, keys: keys,
      now: { clock.date }, report: report)
    carousel = FavoritesCarouselView(
      favorites, output: display.output,
      thumbnails: ThumbnailCache(directory: session.places.thumbnails),
      slides: !configuration.reduceMotion && picking == nil, log: log,
      attachment: { [folder = picking?.folder?.pictures] image in
        try await folder?.attachment(of: image) ?? image.dataRepresentation
      })
    zoom = ZoomView(output: display.output, log: log)
    cardView.area = { [unowned self] in layout(for: $0).picture }
    favorites.seenBefore = { [unowned self] in model.slideshow.lastSeen }
    cardView.isAtHand = { [unowned self] in self.display.isAtHand($0) }
    guard let picking else { return }
    ViewCommands(context: self).openGrid()
    model.focus = .carousel
    favorites.world = picking.filter
    if let folder = picking.folder {
      favorites.collection = .files(named: folder.name)
      favorites.files = folder.pictures.images
    }
  }

  // MARK: Targets

  /// The pane that commands apply to: the focused one, if it is visible.
  var pane: Pane { layoutOfPanes.pane(withFocus: model.focus) }

  /// The picture that commands apply to: the enlarged one, the selected one, or that on the card.
  var target: RemoteImage? {
    if let image = zoom.image { return favorites.controller.saved(image) ?? image }
    return pane == .carousel ? favorites.selected : card.image
  }

  /// The picture that a caption and tags are for: the one just kept, or what commands apply to.
  var captionTarget: RemoteImage? {
    if zoom.isOpen || model.showsGrid || isInTrash { return target }
    let hasChosen = pane == .card ? card.isShownSaved : card.hasChosenSinceKept
    return hasChosen ? target : card.justKept ?? target
  }

  /// Whether the picture that commands apply to is a favorite.
  var isTargetSaved: Bool { target.map(card.controller.isSaved) == true }

  var isInTrash: Bool { pane == .carousel && favorites.collection == .trash }

  /// The marked pictures, if commands apply to the pane that has them.
  ///
  /// None behind an enlarged picture, which is meant alone.
  var marked: [RemoteImage] { pane == .carousel && !zoom.isOpen ? favorites.marked : [] }

  /// The controller of the pane that commands apply to.
  var controller: ImagesController { pane == .card ? card.controller : favorites.controller }

  /// Returns how a picture is on the screen; nil if it is not.
  func picture(of image: RemoteImage) -> (any PreparedPicture)? {
    if pane == .card { return cardView.drawn(image) }
    return carousel.shown.places.first { $0.id == image.id }?.picture
  }

  // MARK: The layout

  var layout: Layout {
    zoom.isOpen ? besideDetails { Layout(slideshow: $0) } : layoutOfPanes
  }

  /// The layout that is there, or behind an enlarged picture.
  private var layoutOfPanes: Layout { layout(for: card.image) }

  /// Returns the layout with a picture on the card.
  private func layout(for image: RemoteImage?) -> Layout {
    besideDetails { size in
      if model.slideshow.isRunning {
        return Layout(slideshow: size, hasHints: model.slideshow.frame == nil)
      }
      if model.showsGrid { return Layout(grid: size) }
      return Layout.fitting(
        image?.size ?? Layout.usualShape, size, cell: display.cell, isFolded: favorites.isFolded)
    }
  }

  /// Whether there would be room for favorites, if there were some.
  var hasRoomForFavorites: Bool { Layout(display.size, cell: display.cell).carousel != nil }

  /// Returns a layout of what the details leave of the screen.
  private func besideDetails(_ layout: (CellSize) -> Layout) -> Layout {
    var size = display.size
    guard case .text(let text) = model.dialog, let dock = text.dock(on: size) else {
      return layout(size)
    }
    switch dock {
    case .right(let columns):
      size.columns -= columns
      return layout(size)
    case .bottom(let rows):
      size.rows -= rows
      var layout = layout(size)
      layout.moveLastLines(down: rows)
      return layout
    }
  }

  // MARK: Messages

  /// Shows a message until the next key.
  func say(_ message: Message) {
    model.say(message)
  }

  func announce(_ outcome: ActionOutcome) {
    PaneReport.all(for: outcome, words, at: clock.date).forEach(receive)
  }

  private func receive(_ report: PaneReport) {
    switch report {
    case .message(let message): say(message)
    case .trouble(let trouble):
      record(trouble)
      if trouble.isDamage { onDamage(trouble) }
    }
  }

  /// Keeps the cause of a problem for the user to look up, and for the log.
  func record(_ trouble: Trouble) {
    model.trouble = trouble
    if hasEnded, trouble.area == .storage { lateTroubles.append(trouble) }
    log.error(trouble)
  }

  /// Reports a failure, and keeps its cause.
  func fail(_ what: String, _ error: any Error) {
    record(Trouble(what, error, at: clock.date))
    say(.problem(userMessage(for: error).sanitized(upTo: 300)))
  }

  /// A sentence about what was not saved at the end; nil if everything was.
  func loss() async -> String? {
    let library = session.library
    if let reason = library.reasonNotSaved, await library.hasUnsavedChanges {
      return StorageWords.lost(because: reason)
    }
    let changes = lateTroubles.filter { $0.what != StorageWords.notRemembered }
    guard let trouble = changes.first ?? lateTroubles.first else { return nil }
    let more = lateTroubles.count > 1 ? " (and \(lateTroubles.count - 1) more)" : ""
    return "\(trouble.what): \(trouble.sentence)\(more)"
  }

  /// Whether there is a problem that the user can look up.
  var hasTrouble: Bool { model.trouble != nil || !settingsIgnored.isEmpty }

  /// The reason why nothing is saved; nil if everything is.
  ///
  /// The user can look it up.
  var placeTrouble: Trouble? {
    session.library.reasonNotSaved.map { Trouble(StorageWords.notSaved, $0, at: clock.date) }
  }

  // MARK: Asking

  /// Returns whether a dialog is still open and was not replaced by another.
  func isOpen(_ input: InputDialog) -> Bool {
    if case .input(let open) = model.dialog { open.id == input.id } else { false }
  }

  /// Closes a dialog if it is still open.
  func close(_ input: InputDialog) {
    if isOpen(input) { model.dialog = nil }
  }

  /// Changes a dialog if it is still open.
  func change(_ input: InputDialog, _ change: (inout InputDialog) -> Void) {
    guard case .input(var open) = model.dialog, open.id == input.id else { return }
    change(&open)
    model.dialog = .input(open)
  }

  /// Shows in a dialog why its text was rejected; the typed text is kept.
  func reject(_ input: InputDialog, _ problem: String) {
    change(input) { input in
      input.isSaving = false
      input.problem = problem
    }
  }

  /// Reports a failure in the dialog whose text led to it, or on the screen if that is closed.
  func fail(_ what: String, _ error: any Error, askedBy input: InputDialog) {
    record(Trouble(what, error, at: clock.date))
    guard isOpen(input) else { return say(.problem("\(what): \(userMessage(for: error))")) }
    reject(input, userMessage(for: error).sanitized(upTo: 300))
  }

  // MARK: Doing

  /// Runs actions one after another; quitting waits for them.
  func begin(_ action: @escaping @MainActor () async -> Void) {
    begun = Task { [previous = begun] in
      await previous?.value
      await action()
    }
  }

  /// Begins what a dialog asked for, which shows that it is saved and closes after that.
  ///
  /// After a failure its text can be changed.
  ///
  /// - Parameters:
  ///   - what: what has failed then.
  ///   - body: does it, and returns what is said of it.
  func save(
    _ input: InputDialog, failing what: String,
    _ body: @escaping @MainActor () async throws -> String
  ) {
    change(input) { $0.isSaving = true }
    begin { [self] in
      do {
        let done = try await body()
        close(input)
        say(.info(done))
      } catch {
        fail(what, error, askedBy: input)
      }
    }
  }

  func actionsHaveEnded() async { await begun?.value }

  /// Redraws everything, for the terminal that was found.
  func invalidate() {
    askTerminal()
    display.invalidate()
    redraw()
  }

  func redraw() { redraws += 1 }

  func quit() {
    hasEnded = true
    endContinuation.finish()
  }

  /// Ends the run because the terminal is gone, so that no message can be shown.
  func lose(_ error: TerminalError) {
    log.error(.terminal, "The terminal is gone: \(technicalCause(of: error))")
    quit()
  }
}
