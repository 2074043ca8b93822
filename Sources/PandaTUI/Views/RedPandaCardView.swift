internal import FoundationEssentials
internal import PandaCore

/// The card: one red panda, where it came from, and what is being fetched.
///
/// It owns an ``ImagesController`` of its own. What the favourites are it learns from the Store
/// through it, like everybody.
@MainActor
final class RedPandaCardView {
  /// How long a source may take before a stand-in is shown.
  static let patience = Duration.seconds(3)
  /// How long the star is seen before the next picture comes.
  static let admiration = Duration.milliseconds(700)

  let controller: ImagesController
  private(set) var state: CardState
  /// Whether a rainbow runs over the picture; set by who draws the card.
  var party = Party.off
  /// Nil where pictures are not shown.
  private var loader: PictureLoader?
  private let clock: any Clock<Duration>
  private let onChange: @MainActor () -> Void
  private let onMessage: @MainActor (Message) -> Void

  private var fetching: Task<Void, Never>?
  private var began: ContinuousClock.Instant?
  private var isStoring = false
  private var lastDrawn: (picture: any PreparedPicture, rect: CellRect)?

  /// Creates a card.
  ///
  /// - Parameters:
  ///   - output: how its picture is shown; nil shows words instead.
  ///   - clock: what its waits are measured by.
  ///   - onChange: told when the card looks different.
  ///   - onMessage: told what the person should read.
  init(
    controller: ImagesController, output: (any PictureOutput)?,
    clock: any Clock<Duration> = ContinuousClock(), onChange: @escaping @MainActor () -> Void,
    onMessage: @escaping @MainActor (Message) -> Void
  ) {
    self.controller = controller
    self.clock = clock
    self.onChange = onChange
    self.onMessage = onMessage
    state = CardState(sourceName: controller.sourceName, standInName: controller.standInName)
    show(by: output)
  }

  /// Shows pictures by `output` from now on; by words where it is nil.
  func show(by output: (any PictureOutput)?) {
    lastDrawn = nil
    loader = output.map {
      PictureLoader(output: $0, capacity: 4 + Rainbow.phases, onChange: onChange)
    }
  }

  /// Whether something on the card moves.
  var isAnimating: Bool { state.request != nil }

  /// Whether there is a picture, and not words in its place.
  var showsPicture: Bool { loader != nil && state.shown != nil }

  /// Whether the picture on the card is a favourite.
  var isShownSaved: Bool { state.shown.map { controller.isSaved($0.image) } ?? false }

  /// Whether a rainbow lies over pictures.
  enum Party: Hashable, Sendable {
    case off
    /// It does not move.
    case still
    /// Each of its pictures is seen this long.
    case moving(Duration)
  }

  // MARK: What the person does

  /// Fetches the next red panda.
  func fetch() { handle(.fetchRequested) }

  /// Stops fetching.
  func cancel() { handle(.cancelRequested) }

  /// Shows a picture that is there already.
  func show(_ image: RemoteImage) { handle(.showRequested(image)) }

  /// Saves the picture on the card; the star shows when it is on disk.
  func save() async {
    guard let image = state.shown?.image, !isStoring else { return }
    if case .ready(_, isIncomplete: true) = loadedPicture(image) {
      onMessage(.problem("This picture is damaged and cannot be kept. f fetches another"))
      return
    }
    isStoring = true
    defer { isStoring = false }
    do {
      try await controller.saveImage(image: image)
      onMessage(.info("Added to your favorites"))
      handle(.saved(image))
    } catch {
      onMessage(.problem("Not saved: \(calmSentence(for: error)). space tries again"))
    }
  }

  /// Removes the picture on the card from the favourites; it stays on the card.
  func remove() async {
    guard let image = state.shown?.image else { return }
    guard controller.isSaved(image) else {
      onMessage(.info("This panda is not a favorite; space makes it one"))
      return
    }
    do {
      try await controller.removeImage(image: image)
      onMessage(.info("Removed from your favorites; space adds it again"))
    } catch {
      onMessage(.problem("Not removed: \(calmSentence(for: error)). x tries again"))
    }
  }

  // MARK: What happens

  private func handle(_ event: CardState.Event) {
    let former = state.shown
    for effect in state.handle(event) { perform(effect) }
    if former != state.shown { began = nil }
    onChange()
  }

  private func perform(_ effect: CardState.Effect) {
    switch effect {
    case .fetch(let generation): startFetching(generation)
    case .cancelFetch: fetching?.cancel()
    case .fetchStandIn(let generation): fetchStandIn(generation)
    case .admire(let image): after(Self.admiration) { self.handle(.admired(image)) }
    case .say(let message): onMessage(message)
    }
  }

  private func startFetching(_ generation: Int) {
    began = .now
    fetching = Task {
      do {
        let image = try await controller.fetchImage { [weak self] progress in
          Task { @MainActor in
            self?.handle(.progressed(generation: generation, bytes: progress.bytesReceived))
          }
        }
        handle(.arrived(generation: generation, image))
      } catch is CancellationError {
        // The person stopped it, and the card says so already.
      } catch {
        handle(.failed(generation: generation, sentence: calmSentence(for: error)))
      }
    }
    after(Self.patience) { self.handle(.tookLong(generation: generation)) }
  }

  private func fetchStandIn(_ generation: Int) {
    Task {
      do {
        guard let image = try await controller.fetchStandIn() else { return }
        handle(.standInArrived(generation: generation, image))
      } catch {
        onMessage(.problem("\(calmSentence(for: error)). f tries again"))
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
    drawInfo(in: layout.info, moment: moment, into: &canvas)
  }

  private func drawPicture(
    in area: CellRect, cell: PixelSize, moment: Duration, into canvas: inout Canvas
  ) {
    guard let image = state.shown?.image else {
      loader?.want([], cell: cell)
      drawEmpty(in: area, moment: moment, into: &canvas)
      return
    }
    guard let loader, area.rows >= 3, area.columns >= 8 else {
      // Too small for a picture, or none wanted: a text card.
      drawLines(
        [image.title?.sanitized() ?? "A red panda", image.source.sanitized()],
        in: area, ink: .plain, into: &canvas)
      return
    }
    let fitted = PixelSize(width: image.width, height: image.height).fitted(
      in: PixelSize(width: area.columns * cell.width, height: area.rows * cell.height))
    wantedSize = CellSize(
      columns: min(area.columns, max(1, (fitted.width + cell.width / 2) / cell.width)),
      rows: min(area.rows, max(1, (fitted.height + cell.height / 2) / cell.height)))
    wantedCell = cell
    let rainbow = rainbow(at: moment)
    loader.want(wanted(image, first: rainbow), cell: cell)
    var loaded = loadedPicture(image)
    if let rainbow,
      case .ready(let picture, let isIncomplete) = loader.picture(
        image, size: wantedSize, cell: cell, rainbow: rainbow)
    {
      loaded = .ready(picture, isIncomplete: isIncomplete)
    }
    switch loaded {
    case .ready(let picture, _):
      let rect = area.centered(wantedSize)
      canvas.place(picture, in: rect, clip: area)
      lastDrawn = (picture, rect)
    case .failed(let sentence):
      drawLines([sentence, "f fetches another"], in: area, ink: .problem, into: &canvas)
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
    guard state.request != nil else {
      drawLines(["No red panda yet", "f fetches one"], in: area, ink: .dim, into: &canvas)
      return
    }
    drawLines(
      ["\(Spinner.frame(moment)) Asking \(state.sourceName) for a red panda"], in: area,
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

  private func drawInfo(in area: CellRect, moment: Duration, into canvas: inout Canvas) {
    guard !area.isEmpty else { return }
    var end = area.columnRange.upperBound
    if let request = state.request, state.shown != nil {
      let text = requestText(request, moment: moment).clipped(to: area.columns / 2)
      end -= text.columns
      canvas.draw(text, at: CellPoint(column: end, row: area.row), ink: .accent)
      end -= 2
    } else if let request = state.request {
      let text = requestText(request, moment: moment).clipped(to: area.columns)
      canvas.draw(text, at: CellPoint(column: area.column, row: area.row), ink: .accent)
      return
    }
    guard let image = state.shown?.image else { return }
    let saved = controller.isSaved(image)
    let column = canvas.draw(
      saved ? "★ " : "☆ ", at: CellPoint(column: area.column, row: area.row),
      ink: saved ? .star : .dim)
    let text = ImageDescription(image).line.clipped(to: max(0, end - column))
    canvas.draw(text, at: CellPoint(column: column, row: area.row), ink: .plain)
  }

  private func requestText(_ request: CardState.Request, moment: Duration) -> String {
    let seconds = began.map { ($0.duration(to: .now)).components.seconds } ?? 0
    let bytes = request.bytes > 0 ? " · \(ByteCount(request.bytes))" : ""
    return "\(Spinner.frame(moment)) \(state.sourceName) · \(seconds) s\(bytes) · esc stops"
  }
}
