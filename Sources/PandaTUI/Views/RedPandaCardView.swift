internal import FoundationEssentials
internal import PandaCore
internal import PictureCodecs
internal import TerminalKit

/// The card: one red panda, where it came from, and what is being fetched.
///
/// It owns an ``ImagesController`` of its own. What the favourites are it learns from the Store
/// through it, like everybody.
@MainActor
final class RedPandaCardView {
  /// How long a source may take before a stand-in is drawn, which takes a moment: after three seconds
  /// there is something on the card.
  static let patience = Duration.milliseconds(2_800)
  /// How long the star is seen before the next picture comes.
  static let admiration = Duration.milliseconds(700)

  /// How long the picture seen last has the processor for itself.
  static let headStart = Duration.milliseconds(300)

  let controller: ImagesController
  private(set) var state: CardState
  /// Whether a rainbow runs over the picture; set by who draws the card.
  var party = Party.off
  /// Nil where pictures are not shown.
  private var loader: PictureLoader?
  private let keys: KeyTable
  private let clock: any Clock<Duration>
  private let onChange: @MainActor () -> Void
  private let onMessage: @MainActor (Message) -> Void
  private let onTrouble: @MainActor (Trouble) -> Void
  private let onMeeting: @MainActor () -> Void

  private var fetching: Task<Void, Never>?
  private var began: ContinuousClock.Instant?
  /// When the picture on the card was shown before it came now.
  private var lastSeen: Date?
  /// Whether the first picture is fetched as soon as the one seen last is on the screen.
  private var beginsWhenDrawn = false
  private var lastDrawn: (picture: any PreparedPicture, rect: CellRect)?

  /// Creates a card.
  ///
  /// - Parameters:
  ///   - output: how its picture is shown; nil shows words instead.
  ///   - configuration: what the person set.
  ///   - clock: what its waits are measured by.
  ///   - onChange: told when the card looks different.
  ///   - onMessage: told what the person should read.
  ///   - onTrouble: told what went wrong.
  ///   - onMeeting: told that a picture came onto the card that is new to it.
  init(
    controller: ImagesController, output: (any PictureOutput)?, configuration: Configuration,
    clock: any Clock<Duration> = ContinuousClock(), onChange: @escaping @MainActor () -> Void,
    onMessage: @escaping @MainActor (Message) -> Void,
    onTrouble: @escaping @MainActor (Trouble) -> Void,
    onMeeting: @escaping @MainActor () -> Void
  ) {
    self.controller = controller
    self.clock = clock
    keys = configuration.keyTable
    self.onChange = onChange
    self.onMessage = onMessage
    self.onTrouble = onTrouble
    self.onMeeting = onMeeting
    state = CardState(
      sourceName: controller.sourceName, standInName: controller.standInName,
      advancesAfterSaving: configuration.autoAdvance,
      connection: Connection(firstWait: .seconds(configuration.retrySeconds)),
      keys: keys)
    show(by: output)
  }

  /// Shows pictures by `output` from now on; by words where it is nil.
  func show(by output: (any PictureOutput)?) {
    lastDrawn = nil
    loader = output.map {
      PictureLoader(output: $0, capacity: 6 + Rainbow.phases, onChange: onChange)
    }
  }

  /// Whether something on the card moves.
  var isAnimating: Bool { state.awaited != nil }

  /// Whether there is a picture, and not words in its place.
  var showsPicture: Bool { loader != nil && state.shown != nil }

  /// The picture on the card; a favorite as it is in the Store now.
  var image: RemoteImage? {
    state.shown.map { controller.saved($0.image) ?? $0.image }
  }

  /// Whether the picture on the card is a favourite.
  var isShownSaved: Bool { state.shown.map { controller.isSaved($0.image) } ?? false }

  /// A word for the corner of the card when pictures cannot be fetched.
  var badge: String? { state.connection.badge(sourceName: controller.sourceName) }

  /// Whether a rainbow lies over pictures.
  enum Party: Hashable, Sendable {
    case off
    /// It does not move.
    case still
    /// Each of its pictures is seen this long.
    case moving(Duration)
  }

  // MARK: What the person does

  /// Begins: shows the picture that was shown last, and then fetches a fresh one.
  func launch() {
    Task {
      do {
        if let newest = try await controller.library.newestSeen() {
          beginsWhenDrawn = loader != nil
          handle(.foundNewest(newest))
        }
      } catch {
        onTrouble(Trouble("What you saw before cannot be read", error))
      }
      if !beginsWhenDrawn { handle(.begin) }
    }
    // Whatever keeps the first picture from the screen, it does not keep the next one from coming.
    after(Self.headStart) { self.handle(.begin) }
  }

  /// Notes that the person is there: what is on the card stays until they ask for another.
  func touch() { handle(.touched) }

  /// Fetches the next red panda.
  func fetch() { handle(.fetchRequested) }

  /// Stops fetching.
  func cancel() { handle(.cancelRequested) }

  /// Shows a picture that is there already.
  func show(_ image: RemoteImage, _ origin: CardState.Origin) {
    handle(.showRequested(image, origin))
  }

  /// What was on the card before what is on it now, the oldest first; observed.
  private var former: ArraySlice<SeenImage> {
    let seen = controller.library.seen.items
    guard let shown = state.shown?.image,
      let place = seen.lastIndex(where: { $0.id == shown.id })
    else { return seen[...] }
    return seen[..<place]
  }

  /// Whether a picture may be shown again.
  private func isShowable(_ entry: SeenImage) -> Bool {
    !controller.library.isKnownToBeHidden(entry.image)
  }

  /// Whether something was on the card before what is on it now; observed.
  var canGoBack: Bool { former.contains(where: isShowable) }

  /// Goes back through what was shown.
  func back(_ count: Int) {
    guard let entry = former.filter(isShowable).suffix(count).first else { return }
    show(entry.image, .seen)
  }

  /// Why the picture on the card cannot be kept; nil if it can.
  var reasonAgainstKeeping: String? {
    guard let image = state.shown?.image,
      case .ready(_, isIncomplete: true) = loadedPicture(image)
    else { return nil }
    return keys.sentence(
      "This picture is damaged and cannot be kept", then: .fetch, "fetches another")
  }

  /// Why a picture cannot be hidden; nil if it can.
  func reasonAgainstHiding(_ image: RemoteImage) -> String? {
    guard controller.isSaved(image) else { return nil }
    return keys.sentence(
      "It is a favorite", separator: "; ", then: .remove, "removes it first")
  }

  /// Never shows a picture again.
  ///
  /// Like the two below it takes the picture that was on the card when the key was pressed; by the
  /// time that it is its turn another may be there.
  func hide(_ image: RemoteImage) async {
    // It may have become one since the key was pressed.
    if let reason = reasonAgainstHiding(image) {
      onMessage(.info(reason))
      return
    }
    do {
      try await controller.library.hide(image)
      onMessage(
        .info(keys.sentence("You will not see this panda again", then: .undo, "takes that back")))
      handle(.hidden(image))
    } catch {
      fail("Not hidden", error, retriedBy: .hide)
    }
  }

  /// Makes a picture a favourite; the star shows at once, the message when it is on disk.
  func save(_ image: RemoteImage) async {
    do {
      guard try await controller.saveImage(image: image) else {
        onMessage(.info("It is a favorite already"))
        return
      }
      onMessage(.info("Added to your favorites"))
      handle(.saved(image))
    } catch {
      fail("Not saved", error, retriedBy: .favorite)
    }
  }

  /// Removes a picture from the favourites; it stays on the card.
  func remove(_ image: RemoteImage) async {
    do {
      let wasFavorite = try await controller.removeImage(image: image)
      onMessage(.info(keys.wordsForRemoved(wasFavorite)))
    } catch {
      fail("Not removed", error, retriedBy: .remove)
    }
  }

  /// Says what failed, and what to do.
  private func fail(_ what: String, _ error: any Error, retriedBy command: Command) {
    onTrouble(Trouble(what, error))
    onMessage(
      .problem(
        keys.sentence("\(what): \(userMessage(for: error))", then: command, "tries again")))
  }

  // MARK: What happens

  private func handle(_ event: CardState.Event) {
    let former = state.shown
    for effect in state.handle(event) { perform(effect) }
    if former != state.shown, state.awaited == nil { began = nil }
    if former?.image.id != state.shown?.image.id, state.shown?.origin.isNew != true {
      lastSeen = nil
    }
    onChange()
  }

  private func perform(_ effect: CardState.Effect) {
    switch effect {
    case .fetch(let generation): startFetching(generation)
    case .watch(let generation):
      began = .now
      after(Self.patience) { self.handle(.tookLong(generation: generation)) }
    case .cancelFetch: fetching?.cancel()
    case .fetchStandIn(let generation): fetchStandIn(generation)
    case .admire(let image): after(Self.admiration) { self.handle(.admired(image)) }
    case .note(let image): note(image)
    case .retry(let wait, let number): after(wait) { self.handle(.retryDue(number)) }
    case .say(let message): onMessage(message)
    }
  }

  private func note(_ image: RemoteImage) {
    lastSeen = nil
    onMeeting()
    Task {
      do {
        let before = try await controller.library.noteSeen(image)
        guard before != nil, state.shown?.image.id == image.id else { return }
        lastSeen = before
        onChange()
      } catch {
        // It is on the card all the same; going back will not find it.
        onTrouble(Trouble("What you see is not remembered", error))
      }
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
        // The person stopped it, and the card says so already.
      } catch {
        onTrouble(Trouble("Fetching from \(controller.sourceName) failed", error))
        handle(.failed(generation: generation, Connection.Failure(error)))
      }
    }
  }

  private func fetchStandIn(_ generation: Int) {
    Task {
      do {
        guard let image = try await controller.fetchStandIn() else { return }
        handle(.standInArrived(generation: generation, image))
      } catch {
        fail("No panda can be drawn", error, retriedBy: .fetch)
      }
    }
  }

  private func after(_ delay: Duration, _ action: @escaping @MainActor () -> Void) {
    Task { [clock] in
      // Sleeping fails only when the task is cancelled, which nobody does.
      try? await clock.sleep(for: delay)  // see above
      action()
    }
  }

  // MARK: Drawing

  private var wantedSize = CellSize(columns: 0, rows: 0)
  private var wantedCell = PixelSize(width: 8, height: 16)

  private func loadedPicture(_ image: RemoteImage) -> PictureLoader.Result {
    loader?.picture(image, size: wantedSize, cell: wantedCell) ?? .underWay
  }

  /// Draws the picture and the line under it.
  func draw(_ layout: Layout, cell: PixelSize, moment: Duration, into canvas: inout Canvas) {
    drawPicture(in: layout.picture, cell: cell, moment: moment, into: &canvas)
    drawInfo(
      in: layout.info, isTextCard: isTextCard(layout.picture), moment: moment, into: &canvas)
  }

  private func drawPicture(
    in area: CellRect, cell: PixelSize, moment: Duration, into canvas: inout Canvas
  ) {
    guard let image = state.shown?.image else {
      loader?.want([], cell: cell)
      drawEmpty(in: area, moment: moment, into: &canvas)
      return
    }
    guard let loader, !isTextCard(area) else {
      let names = [image.caption ?? image.title ?? "A red panda", image.source]
      drawLines(names.map { $0.sanitized() }, in: area, ink: .plain, into: &canvas)
      return
    }
    wantedSize = fittedSize(of: image, in: area, cell: cell)
    wantedCell = cell
    let rainbow = rainbow(at: moment)
    loader.want(
      wanted(image, first: rainbow) + ahead(in: area, cell: cell), cell: cell)
    var loaded = loadedPicture(image)
    if let rainbow,
      case .ready(let picture, let isIncomplete) = loader.picture(
        image, size: wantedSize, cell: cell, rainbow: rainbow)
    {
      loaded = .ready(picture, isIncomplete: isIncomplete)
    }
    if beginsWhenDrawn, !loaded.isUnderWay {
      beginsWhenDrawn = false
      Task { handle(.begin) }
    }
    switch loaded {
    case .ready(let picture, _):
      let rect = area.centered(wantedSize)
      canvas.place(picture, in: rect, clip: area)
      lastDrawn = (picture, rect)
    case .failed(let sentence):
      drawLines(
        [sentence] + keys.deed(.fetch, "fetches another"), in: area, ink: .problem, into: &canvas)
    case .underWay:
      // The former picture stays for the moment that the new one takes: nothing flickers.
      if let lastDrawn, area.rowRange.contains(lastDrawn.rect.row),
        lastDrawn.rect.rowRange.upperBound <= area.rowRange.upperBound,
        lastDrawn.rect.columnRange.upperBound <= area.columnRange.upperBound
      {
        canvas.place(lastDrawn.picture, in: lastDrawn.rect, clip: area)
      }
    }
  }

  /// Whether words stand for the picture: there is no room for one, or none is wanted.
  private func isTextCard(_ area: CellRect) -> Bool {
    loader == nil || area.rows < 3 || area.columns < 8
  }

  /// The cells that a picture takes when all of it is shown as large as the area allows.
  private func fittedSize(of image: RemoteImage, in area: CellRect, cell: PixelSize) -> CellSize {
    let fitted = PixelSize(width: image.width, height: image.height).fitted(
      in: PixelSize(width: area.columns * cell.width, height: area.rows * cell.height))
    return CellSize(
      columns: min(area.columns, max(1, (fitted.width + cell.width / 2) / cell.width)),
      rows: min(area.rows, max(1, (fitted.height + cell.height / 2) / cell.height)))
  }

  /// The pictures that come next: ready before anybody asks for them.
  private func ahead(in area: CellRect, cell: PixelSize) -> [PictureLoader.Wanted] {
    state.queue.map { image in
      PictureLoader.Wanted(image: image, size: fittedSize(of: image, in: area, cell: cell))
    }
  }

  /// The rainbow's picture at a moment.
  private func rainbow(at moment: Duration) -> Rainbow? {
    switch party {
    case .off: nil
    case .still: Rainbow(phase: 0)
    case .moving(let interval): Rainbow(phase: Int(moment / interval) % Rainbow.phases)
    }
  }

  /// The picture first, then those of the rainbow in their order.
  private func wanted(_ image: RemoteImage, first rainbow: Rainbow?) -> [PictureLoader.Wanted] {
    var wanted = [PictureLoader.Wanted(image: image, size: wantedSize)]
    if let rainbow {
      let phases = party == .still ? 1 : Rainbow.phases
      wanted += (0..<phases).map { step in
        let phase = (rainbow.phase + step) % Rainbow.phases
        return PictureLoader.Wanted(
          image: image, size: wantedSize, rainbow: Rainbow(phase: phase))
      }
    }
    return wanted
  }

  private func drawEmpty(in area: CellRect, moment: Duration, into canvas: inout Canvas) {
    guard let request = state.awaited else {
      drawLines(
        ["No red panda yet"] + keys.deed(.fetch, "fetches one"), in: area, ink: .dim, into: &canvas)
      return
    }
    drawLines(
      ["\(Spinner.frame(moment)) Asking \(state.name(of: request)) for a red panda"], in: area,
      ink: .accent, into: &canvas)
  }

  private func drawLines(
    _ lines: [String], in area: CellRect, ink: Ink, into canvas: inout Canvas
  ) {
    var row = area.row + max(0, (area.rows - lines.count) / 2)
    for line in lines where row < area.rowRange.upperBound {
      let text = line.clipped(to: area.columns)
      canvas.draw(
        text, at: CellPoint(column: area.column + (area.columns - text.columns) / 2, row: row),
        ink: ink)
      row += 1
    }
  }

  private func drawInfo(
    in area: CellRect, isTextCard: Bool, moment: Duration, into canvas: inout Canvas
  ) {
    guard !area.isEmpty else { return }
    var end = area.columnRange.upperBound
    if let request = state.awaited, state.shown != nil {
      let text = requestText(request, moment: moment).clipped(to: area.columns / 2)
      end -= text.columns
      canvas.draw(text, at: CellPoint(column: end, row: area.row), ink: .accent)
      end -= 2
    } else if let request = state.awaited {
      let text = requestText(request, moment: moment).clipped(to: area.columns)
      canvas.draw(text, at: CellPoint(column: area.column, row: area.row), ink: .accent)
      return
    }
    guard let image else { return }
    let saved = controller.isSaved(image)
    let column = canvas.draw(
      saved ? "★ " : "☆ ", at: CellPoint(column: area.column, row: area.row),
      ink: saved ? .star : .dim)
    let seen = lastSeen.map { " · seen before, \(ImageDescription.day($0))" } ?? ""
    let description = ImageDescription(image)
    // The names are in the card already.
    let words = isTextCard && area.columns < 40 ? description.facts : description.line
    let text = (words + seen).clipped(to: max(0, end - column))
    canvas.draw(text, at: CellPoint(column: column, row: area.row), ink: .plain)
  }

  private func requestText(_ request: CardState.Request, moment: Duration) -> String {
    let seconds = began.map { ($0.duration(to: .now)).components.seconds } ?? 0
    let bytes = request.bytes > 0 ? " · \(ByteCount(request.bytes))" : ""
    let words = "\(Spinner.frame(moment)) \(state.name(of: request)) · \(seconds) s\(bytes)"
    return keys.sentence(words, separator: " · ", then: .cancel, "stops")
  }
}
