internal import FoundationEssentials
internal import PandaCore
internal import PandaSession

/// The card's logic: fetches pictures, drives ``CardState`` and acts on the shown picture.
///
/// It owns an ``ImagesController`` and learns from the Store through it which pictures are
/// favorites. Everything it shows is observable.
@MainActor
final class CardPresenter {
  /// The time for which the star is visible before the next picture is shown.
  static let starDelay = Duration.milliseconds(700)
  /// The maximum time that fetching waits for the last shown picture to be drawn.
  static let headStart = Duration.milliseconds(300)
  /// The time for which a caption and tags apply to a picture after keeping it.
  static let timeToCaption = Duration.seconds(5)
  /// The number of shown pictures that are written down at the same time.
  static let notesLimit = 8

  let controller: ImagesController
  @Observed private(set) var state: CardState
  /// Whether the picture that came onto the card had been there in an earlier run, or earlier.
  @Observed private(set) var wasSeenBefore = false
  /// The start of the request that the user waits for, in the clock's time.
  @Observed private(set) var requestBegan: Duration?
  /// Returns whether only part of the picture could be decoded.
  ///
  /// The view sets it.
  var isDamaged: @MainActor (RemoteImage) -> Bool = { _ in false }

  /// Returns whether a picture can be drawn at once.
  ///
  /// The view sets it.
  var isReady: @MainActor (RemoteImage) -> Bool = { _ in true }
  /// Whether the next picture could not be drawn yet: picture and words change in one frame.
  @Observed private(set) var isWaiting = false
  /// The picture that is still on the screen then; nil if none is.
  private var former: RemoteImage?

  private let keys: KeyTable
  let clock: any AppClock
  private let report: @MainActor (PaneReport) -> Void
  private var fetching: Task<Void, Never>?
  private var sketching: Task<Void, Never>?
  private var beginsWhenDrawn = false
  /// The last picture that was made a favorite here.
  private var kept: (image: RemoteImage, moment: Duration)?
  /// Whether the user has chosen a picture of the carousel since then.
  private(set) var hasChosenSinceKept = false
  private var notesUnderWay = 0
  /// The newest picture that is to be written down once there is room.
  private var unnoted: RemoteImage?
  /// The number of pictures shown that are not counted yet.
  private var unnotedCount = 0

  /// Creates a presenter.
  ///
  /// - Parameters:
  ///   - configuration: the user's settings.
  ///   - clock: measures its delays.
  ///   - report: receives messages, problems, and each new picture that is shown.
  init(
    controller: ImagesController, configuration: Configuration, clock: any AppClock,
    report: @escaping @MainActor (PaneReport) -> Void
  ) {
    self.controller = controller
    self.clock = clock
    self.report = report
    keys = configuration.keyTable
    state = CardState(
      sourceName: controller.sourceName, fallbackName: controller.fallbackName,
      advancesAfterSaving: configuration.autoAdvance,
      keys: keys)
  }

  var isAnimating: Bool { state.awaited != nil }

  /// The picture that is seen, which commands apply to.
  ///
  /// A favorite is in its current state in the Store.
  var image: RemoteImage? {
    (next == nil ? state.shown?.image : former).map { controller.saved($0) ?? $0 }
  }

  /// The picture that is seen next, as soon as it can be drawn; nil if the one on the card is seen.
  var next: RemoteImage? {
    guard isWaiting, let image = state.shown?.image, !isReady(image) else { return nil }
    return image
  }

  /// Notes that a frame has been shown: a picture in it stays, whatever has to be decoded again.
  func wasShown() {
    if isWaiting, next == nil { isWaiting = false }
  }

  /// Whether the picture that is seen is a favorite.
  var isShownSaved: Bool { image.map(controller.isSaved) ?? false }

  /// The favorite that was kept a few seconds ago.
  ///
  /// Nothing changes when the time is over: the moments are compared when this is read.
  var justKept: RemoteImage? {
    guard let kept, clock.moment - kept.moment <= Self.timeToCaption else { return nil }
    return controller.saved(kept.image)
  }

  /// Notes that the user has chosen a picture of the carousel.
  func recordChoice() { hasChosenSinceKept = true }

  /// A word for the corner of the card while pictures cannot be fetched.
  var badge: String? { state.connection.reason?.rawValue }

  /// The time of the next automatic retry; nil while none is pending.
  @Observed private(set) var nextTry: Date?

  // MARK: User actions

  /// Shows the last shown picture, and then fetches a new one.
  ///
  /// - Parameters:
  ///   - drawsPictures: whether fetching waits until that picture has been drawn.
  ///   - sketch: is shown where there is no such picture yet.
  func launch(drawsPictures: Bool, sketch: Task<RemoteImage?, Never>? = nil) {
    // A new library takes longer to create than a sketch to draw.
    if let sketch { show(sketch) }
    Task {
      do {
        if let newest = try await controller.library.newestSeen() {
          beginsWhenDrawn = drawsPictures
          handle(.foundNewest(newest))
        }
      } catch {
        report(.trouble(Trouble("Your history cannot be read", error, at: clock.date)))
      }
      if !beginsWhenDrawn { handle(.begin) }
    }
    // A picture that cannot be drawn must not block the next one.
    clock.after(Self.headStart) { [weak self] in self?.handle(.begin) }
  }

  /// Starts fetching if that was waiting for the first pictures of the screen.
  func picturesWereDrawn() {
    guard beginsWhenDrawn else { return }
    beginsWhenDrawn = false
    Task { handle(.begin) }
  }

  /// Keeps the picture on the card until the user requests another one.
  ///
  /// Called when a key was pressed.
  func touch() { handle(.touched) }

  func fetch() { handle(.fetchRequested) }

  func cancel() { handle(.cancelRequested) }

  /// Shows a picture that is already available.
  func show(_ image: RemoteImage, _ origin: CardState.Origin) {
    handle(.showRequested(image, origin))
  }

  /// Whether the next picture follows the favorite on the card within a moment.
  var isAboutToAdvance: Bool { state.isAboutToAdvance }

  /// Whether a picture was on the card before this one; observed.
  var canGoBack: Bool { controller.library.hasSeen(before: state.shown?.image) }

  /// Goes back through the pictures that were on the card.
  func back(_ count: Int) {
    let former = controller.library.seen(before: state.shown?.image)
    if let entry = former.suffix(count).first { show(entry.image, .seen) }
  }

  /// Hides a picture for good.
  ///
  /// Like the actions below, it takes the picture that was on the card when the key was pressed;
  /// another one may be there by the time it runs.
  func hide(_ image: RemoteImage) async {
    if announce(await controller.hide(image)) { handle(.hidden(image)) }
  }

  func favorite(_ image: RemoteImage) async {
    // A choice made during saving counts.
    hasChosenSinceKept = false
    guard announce(await controller.favorite(image, isDamaged: isDamaged(image))) else { return }
    kept = (image, clock.moment)
    if state.shown?.image.id == image.id { controller.library.sightings.record(image.id) }
    handle(.saved(image))
  }

  /// Moves a picture to the trash; it stays on the card.
  ///
  /// - Returns: whether it did.
  @discardableResult
  func remove(_ image: RemoteImage) async -> Bool { announce(await controller.remove([image])) }

  /// Reports an outcome; returns whether something was changed.
  @discardableResult
  private func announce(_ outcome: ActionOutcome) -> Bool {
    PaneReport.all(for: outcome, ActionWords(names: keys), at: clock.date).forEach(report)
    if case .done = outcome { return true }
    return false
  }

  // MARK: Effects

  private func handle(_ event: CardState.Event) {
    let (last, seen) = (state.shown, image)
    for effect in state.handle(event) { perform(effect) }
    if last != state.shown, state.awaited == nil { requestBegan = nil }
    guard last?.image.id != state.shown?.image.id else { return }
    former = seen
    isWaiting = state.shown.map { !isReady($0.image) } ?? false
    if state.shown?.origin.isNew != true { wasSeenBefore = false }
    if let image = state.shown?.image, controller.isSaved(image) {
      controller.library.sightings.record(image.id)
    }
  }

  private func perform(_ effect: CardState.Effect) {
    switch effect {
    case .fetch(let generation): startFetching(generation)
    case .watch(let generation):
      requestBegan = clock.moment
      after(FetchWords.patience, .tookLong(generation: generation))
    case .cancelFetch: fetching?.cancel()
    case .fetchFallback(let generation): fetchFallback(generation)
    case .sketchFallback(let generation):
      sketch()
      fetchFallback(generation)
    case .delayAdvance(let image): after(Self.starDelay, .advanceDue(image))
    case .record(let image): record(image)
    case .retry(let wait, let number):
      nextTry = clock.date + wait / .seconds(1)
      after(wait, .retryDue(number))
    case .say(let message): report(.message(message))
    }
  }

  private func after(_ delay: Duration, _ event: CardState.Event) {
    clock.after(delay) { [weak self] in self?.handle(event) }
  }

  private func record(_ image: RemoteImage) {
    wasSeenBefore = false
    unnotedCount += 1
    remember(image)
  }

  /// Records the picture on the card, so that going back finds it.
  ///
  /// Pictures can arrive faster than they are written, for example while a key is held down on a
  /// busy machine. At most ``notesLimit`` are written at a time; of the others only the newest, as
  /// those that wait would fill the memory.
  func remember(_ image: RemoteImage) {
    guard notesUnderWay < Self.notesLimit else { return unnoted = image }
    notesUnderWay += 1
    let count = unnotedCount
    unnotedCount = 0
    Task {
      do {
        let before = try await controller.library.noteSeen(image, count: count)
        if before != nil, state.shown?.image.id == image.id { wasSeenBefore = true }
      } catch {
        // The picture is on the card nevertheless; going back will not find it.
        unnotedCount += count
        report(.trouble(Trouble(StorageWords.notRemembered, error, at: clock.date)))
      }
      notesUnderWay -= 1
      guard let next = unnoted else { return }
      unnoted = nil
      remember(next)
    }
  }

  private func startFetching(_ generation: Int) {
    fetching = Task {
      do {
        let image = try await controller.fetchImage { [weak self] progress in
          Task { @MainActor in
            self?.handle(
              .progressed(
                generation: generation, bytes: progress.bytesReceived, source: progress.source))
          }
        }
        handle(.arrived(generation: generation, image))
      } catch is CancellationError {
        // The user canceled, and the card already shows that.
      } catch {
        report(
          .trouble(Trouble("Fetching from \(controller.sourceName) failed", error, at: clock.date)))
        handle(.failed(generation: generation, Connection.Failure(error)))
      }
    }
  }

  /// Draws a sketch of the fallback's first picture, once.
  private func sketch() {
    guard sketching == nil else { return }
    // The drawing follows, and reports a failure.
    show(Task { [controller] in try? await controller.sketchFallback() })
  }

  private func show(_ sketch: Task<RemoteImage?, Never>) {
    sketching = Task {
      if let image = await sketch.value { handle(.sketchArrived(image)) }
    }
  }

  private func fetchFallback(_ generation: Int) {
    Task {
      // It has chosen which panda to draw.
      await sketching?.value
      do {
        guard let image = try await controller.fetchFallback() else { return }
        handle(.fallbackArrived(generation: generation, image))
      } catch {
        report(.trouble(Trouble("No panda can be drawn", error, at: clock.date)))
        report(
          .message(
            .problem(
              FetchWords(names: keys).failed(
                "No panda can be drawn: \(userMessage(for: error))"))))
      }
    }
  }
}
