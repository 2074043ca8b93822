internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import PictureCodecs
internal import TerminalKit

/// The card: one red panda, its source, and the progress of fetching.
///
/// It draws the state of its ``CardPresenter``.
@MainActor
final class RedPandaCardView {
  let presenter: CardPresenter
  private let keys: KeyTable
  private let previews: PreviewCache?
  private let log: Log
  /// Nil if pictures are not shown.
  private var loader: PictureLoader?
  private var player: MotionPlayer?
  private var grove: GroveMotion?
  private var lastDrawn: (id: String, picture: any PreparedPicture)?

  /// Returns how a picture is on the card; nil if it is not.
  func drawn(_ image: RemoteImage) -> (any PreparedPicture)? {
    lastDrawn?.id == image.id ? lastDrawn?.picture : nil
  }

  private var state: CardState { presenter.state }

  /// Creates a card.
  ///
  /// - Parameters:
  ///   - output: shows the picture; nil shows text instead.
  ///   - previews: keeps pictures that take long to decode.
  ///   - keys: the keys for its hints.
  ///   - log: receives why a picture cannot be shown.
  init(
    _ presenter: CardPresenter, output: (any PictureOutput)?, previews: PreviewCache? = nil,
    keys: KeyTable, log: Log = .off
  ) {
    self.presenter = presenter
    self.previews = previews
    self.keys = keys
    self.log = log
    show(by: output)
    presenter.isDamaged = { [weak self] image in self?.isDamaged(image) ?? false }
    presenter.isReady = { [weak self] image in self?.isReady(image) ?? true }
  }

  /// Switches to another output for pictures; nil shows text instead.
  func show(by output: (any PictureOutput)?) {
    lastDrawn = nil
    loader?.rest()
    rest()
    loader = output.map {
      PictureLoader(output: $0, previews: previews, capacity: 6 + Rainbow.phases, log: log)
    }
    player = output.map { MotionPlayer(output: $0, log: log) }
    grove = output.map { GroveMotion(output: $0, clock: presenter.clock, log: log) }
  }

  /// Returns the time until the next frame of a moving picture; nil if none moves.
  func nextFrame(after moment: Duration) -> Duration? { player?.nextFrame(after: moment) }

  /// Whether the program moves the picture: it has another frame to show.
  var isMoving: Bool { nextFrame(after: .zero) != nil }

  /// Whether the last frame showed its picture, or why it cannot be shown; nil without a picture.
  private(set) var hasDrawnPicture: Bool?

  var drawsPictures: Bool { loader != nil }

  /// Whether the card shows a picture rather than text.
  var showsPicture: Bool { loader != nil && presenter.image != nil }

  /// Returns whether the terminal can show a picture at once, and gives it what it cannot.
  ///
  /// The context sets it.
  var isAtHand: @MainActor (any PreparedPicture) -> Bool = { _ in true }

  /// Returns the area of a picture on the card, which depends on its shape.
  ///
  /// The context sets it.
  var area: @MainActor (RemoteImage) -> CellRect = { _ in
    CellRect(column: 0, row: 0, columns: 0, rows: 0)
  }

  /// The state of the rainbow over pictures.
  enum Party: Hashable, Sendable {
    case off
    case still
    /// Each of its phases is visible for this long.
    case moving(Duration)
  }

  /// The inputs of a frame besides the card itself.
  struct Scene {
    let layout: Layout
    let cell: PixelSize
    let party: Party
    let motion: MotionPlayer.Motion
    let moment: Duration
    /// Whether the terminal takes longer for a picture than a moment of the grove lasts.
    var isSlow = false
    /// Another picture that is seen meanwhile, since a dialog beside it describes it.
    var subject: RemoteImage?
  }

  /// Whether less than the whole picture could be decoded, or nothing of it.
  private func isDamaged(_ image: RemoteImage) -> Bool {
    switch loadedPicture(image) {
    case .ready(_, let isIncomplete, _): isIncomplete
    case .failed: true
    case .underWay: false
    }
  }

  /// Whether nothing has to be decoded, or sent to the terminal, before a picture is seen.
  private func isReady(_ image: RemoteImage) -> Bool {
    guard let loader, !isTextCard(area(image)) else { return true }
    switch loader.picture(wanted(image), cell: wantedCell) {
    case .ready(let picture, _, _): return isAtHand(picture)
    case .failed: return true
    case .underWay: return false
    }
  }

  private func wanted(_ image: RemoteImage) -> PictureLoader.Wanted {
    let room = area(image).size
    return PictureLoader.Wanted(
      image: image,
      size: room.isEmpty ? wantedSize : room.fitting(image.size, cell: wantedCell))
  }

  // MARK: Drawing

  private var wantedSize = CellSize(columns: 0, rows: 0)
  private var wantedCell = PixelSize(width: 8, height: 16)

  private func loadedPicture(_ image: RemoteImage) -> PictureLoader.Result {
    loader?.picture(image, size: wantedSize, cell: wantedCell) ?? .underWay
  }

  /// Draws the picture and the info line below it.
  func draw(_ scene: Scene, into canvas: inout Canvas) {
    drawPicture(scene, into: &canvas)
    drawInfo(scene, into: &canvas)
  }

  private func drawPicture(_ scene: Scene, into canvas: inout Canvas) {
    let (area, cell) = (scene.layout.picture, scene.cell)
    hasDrawnPicture = nil
    wantedCell = cell
    let next = presenter.next
    guard let image = scene.subject ?? presenter.image ?? (next == nil ? state.sketch : nil) else {
      loader?.want(next.map { [wanted($0)] } ?? [], cell: cell)
      rest()
      guard next != nil else { return drawEmpty(in: area, moment: scene.moment, into: &canvas) }
      // A sketch stays until then.
      hasDrawnPicture = false
      return drawLast(in: area, into: &canvas)
    }
    guard let loader, !isTextCard(area) else {
      rest()
      let names = [image.name, image.source]
      drawLines(
        names.map { $0.sanitized().shortenedName(to: area.columns) }, in: area, ink: .plain,
        into: &canvas)
      return
    }
    wantedSize = area.size.fitting(image.size, cell: cell)
    let rainbow = rainbow(scene)
    loader.want(
      (next.map { [wanted($0)] } ?? []) + wanted(image, first: rainbow, scene.party)
        + state.queue.map(wanted), cell: cell)
    var loaded = loadedPicture(image)
    if let rainbow,
      case .ready(let picture, let isIncomplete, let isThumbnail) = loader.picture(
        image, size: wantedSize, cell: cell, rainbow: rainbow)
    {
      loaded = .ready(picture, isIncomplete: isIncomplete, isThumbnail: isThumbnail)
    }
    hasDrawnPicture = next == nil && !loaded.isUnderWay
    switch loaded {
    case .ready(let still, _, _):
      let rect = area.centered(wantedSize)
      let picture = moving(image, scene) ?? still
      canvas.place(picture, in: rect, clip: area)
      lastDrawn = (image.id, picture)
    case .failed(let sentence):
      drawLines(
        [sentence]
          + keys.hintLine(.card(.fetch), "fetches another"), in: area, ink: .problem, into: &canvas)
    case .underWay: drawLast(in: area, into: &canvas)
    }
  }

  /// Draws the previous picture, which stays until the new one is ready.
  private func drawLast(in area: CellRect, into canvas: inout Canvas) {
    guard let lastDrawn else { return }
    canvas.place(lastDrawn.picture, in: area.centered(lastDrawn.picture.size), clip: area)
  }

  /// Returns the frame that is due of a picture that moves; nil if it is as always.
  private func moving(_ image: RemoteImage, _ scene: Scene) -> (any PreparedPicture)? {
    if BambooGroveSource.isDrawing(image) {
      player?.rest()
      return grove?.frame(
        of: image, size: wantedSize, cell: scene.cell,
        scene.isSlow ? .stopped : scene.motion)
    }
    grove?.rest()
    return player?.frame(
      of: image, size: wantedSize, cell: scene.cell, scene.motion, at: scene.moment)
  }

  /// Notes that no picture is shown, so that nothing moves.
  private func rest() {
    player?.rest()
    grove?.rest()
  }

  /// Notes that the card is hidden: nothing moves, and no other picture than its own is loaded.
  ///
  /// It shows whether the picture is damaged and so cannot be kept.
  func hide() {
    rest()
    loader?.want(state.shown.map { [wanted($0.image)] } ?? [], cell: wantedCell)
  }

  func retryFailed() { loader?.retryFailed() }

  /// Returns whether text replaces the picture, for lack of space or by choice.
  private func isTextCard(_ area: CellRect) -> Bool {
    loader == nil || area.rows < 3 || area.columns < 8
  }

  private func rainbow(_ scene: Scene) -> Rainbow? {
    switch scene.party {
    case .off: nil
    case .still: Rainbow(phase: 0)
    case .moving(let interval): Rainbow(phase: Int(scene.moment / interval) % Rainbow.phases)
    }
  }

  /// Returns the picture first, then those of the rainbow in their order.
  private func wanted(
    _ image: RemoteImage, first rainbow: Rainbow?, _ party: Party
  ) -> [PictureLoader.Wanted] {
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
      guard state.hasBegun else { return }
      let lines = ["No red panda yet"] + keys.hintLine(.card(.fetch), "fetches one")
      return drawLines(lines, in: area, ink: .secondary, into: &canvas)
    }
    let name = state.name(of: request)
    let work =
      name == BambooGroveSource.name ? "Drawing a red panda" : "Asking \(name) for a red panda"
    drawLines(["\(Spinner.frame(moment)) \(work)"], in: area, ink: .accent, into: &canvas)
  }

  private func drawLines(
    _ lines: [String], in area: CellRect, ink: Ink, into canvas: inout Canvas
  ) {
    var row = area.row + max(0, (area.rows - lines.count) / 2)
    for line in lines where row < area.rowRange.upperBound {
      let text = line.fitted(to: area.columns)
      canvas.draw(
        text, at: CellPoint(column: area.column + (area.columns - text.columns) / 2, row: row),
        ink: ink)
      row += 1
    }
  }

  private func drawInfo(_ scene: Scene, into canvas: inout Canvas) {
    let (area, moment) = (scene.layout.info, scene.moment)
    guard !area.isEmpty else { return }
    let last = area.rowRange.upperBound - 1
    var end = area.columnRange.upperBound
    if let request = state.awaited, presenter.image != nil {
      let text = requestText(request, moment: moment, upTo: area.columns / 2)
      end -= text.columns
      canvas.draw(text, at: CellPoint(column: end, row: last), ink: .accent)
      end -= 2
    } else if let request = state.awaited {
      let text = requestText(request, moment: moment, upTo: area.columns)
      canvas.draw(text, at: CellPoint(column: area.column, row: last), ink: .accent)
      return
    }
    guard let image = scene.subject ?? presenter.image else { return }
    let saved = scene.subject.map(presenter.controller.isSaved) ?? presenter.isShownSaved
    let column = canvas.draw(
      saved ? "★ " : "☆ ", at: CellPoint(column: area.column, row: area.row),
      ink: saved ? .star : .secondary)
    let description = ImageDescription(image)
    var credit = area.rows > 1 ? description.creditLine : description.credit
    if scene.subject == nil, presenter.next == nil, presenter.wasSeenBefore {
      credit.append("seen before")
    }
    if case .ready(_, _, isThumbnail: true) = loadedPicture(image) {
      credit.insert("its thumbnail: too large", at: 0)
    }
    let room = max(0, end - column)
    guard area.rows > 1 else {
      // The names are on the card already.
      let parts =
        isTextCard(scene.layout.picture) && area.columns < 40 ? credit : description.names + credit
      canvas.draw(
        parts.listed(upTo: room, keeping: description.maker),
        at: CellPoint(column: column, row: area.row))
      return
    }
    let names = description.names
    if !names.isEmpty {
      canvas.draw(
        names.listed(upTo: area.columnRange.upperBound - column),
        at: CellPoint(column: column, row: area.row))
    }
    guard !credit.isEmpty else { return }
    // Without a title, the credit is beside the star.
    canvas.draw(
      credit.listed(upTo: room, keeping: description.maker),
      at: CellPoint(column: column, row: names.isEmpty ? area.row : area.row + 1), ink: .secondary)
  }

  /// The request in words; where they do not fit, first the key that stops it goes, then the name.
  private func requestText(
    _ request: CardState.Request, moment: Duration, upTo columns: Int
  ) -> String {
    let seconds = presenter.requestBegan.map { (moment - $0).components.seconds } ?? 0
    let bytes = request.bytes > 0 ? " · \(ByteCount(request.bytes))" : ""
    let wheel = Spinner.frame(moment)
    let words = "\(wheel) \(state.name(of: request)) · \(seconds) s\(bytes)"
    let texts = [keys.sentence(words, separator: " · ", then: .program(.cancel), "stops"), words]
    return texts.first { $0.columns <= columns } ?? "\(wheel) \(seconds) s".clipped(to: columns)
  }
}
