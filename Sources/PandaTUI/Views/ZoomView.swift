internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// One picture on the whole screen, enlarged as far as wanted.
///
/// The terminal enlarges it where it can; elsewhere each step is redrawn, and only the newest
/// step counts. As long as all of it is shown, an animation plays. Everything it shows is
/// observable.
@MainActor
final class ZoomView {
  /// The picture; nil if the view is closed.
  @Observed private(set) var image: RemoteImage?
  /// The visible part and its scale; nil until the picture has been decoded.
  @Observed private(set) var state: ZoomState?
  @Observed private(set) var problem: String?
  @Observed private var drawn: (any PreparedPicture)?

  private var output: (any PictureOutput)?
  /// Plays an animation; nil if pictures are not shown.
  @Observed private var player: MotionPlayer?
  private let log: Log
  private var source: Source?
  private var loading: Task<Void, Never>?
  private var drawing: Task<Void, Never>?
  /// The state that `drawn` shows, or is going to show.
  private var begun: ZoomState?

  private struct Source: Sendable {
    let pyramid: PicturePyramid
    /// Nil if the terminal cannot enlarge.
    let magnifiable: (any MagnifiablePicture)?
  }

  /// More pixels are not decoded: 64 MB of memory.
  private nonisolated static let mostPixels = 16_000_000

  init(output: (any PictureOutput)?, log: Log) {
    self.log = log
    show(by: output)
  }

  /// Switches to another output; an open picture is closed.
  func show(by output: (any PictureOutput)?) {
    close()
    self.output = output
    player = output.map { MotionPlayer(output: $0, log: log) }
  }

  /// The scale in percent of the picture's own pixels; nil until it has been decoded.
  var percent: Int? {
    guard let state, let image else { return nil }
    // A very large picture was decoded smaller.
    let share = Double(state.picture.width) / Double(max(1, image.width))
    return Int((state.scale * share * 100).rounded())
  }

  var canOpen: Bool { output != nil }

  var isOpen: Bool { image != nil }

  /// Opens a picture.
  ///
  /// - Parameter preview: how it is on the screen; it stays until the picture has been decoded.
  func open(_ image: RemoteImage, preview: (any PreparedPicture)? = nil) {
    close()
    (self.image, drawn) = (image, preview)
    guard let output else { return }
    loading = Task { [log] in
      do {
        let source = try await Self.decode(image, for: output)
        guard !Task.isCancelled else { return }
        self.source = source
        state = ZoomState(source.pyramid.size, view: view, cell: cell)
        for change in waiting { change(&state!) }
        waiting = []
      } catch is CancellationError {
        return
      } catch {
        log.error(
          .pictures, "\(image.url.absoluteString) cannot be shown: \(technicalCause(of: error))")
        (problem, drawn) = (userMessage(for: error), nil)
      }
    }
  }

  /// Opens the picture again if it could not be shown.
  func retryFailed() {
    if problem != nil, let image { open(image) }
  }

  func close() {
    loading?.cancel()
    drawing?.cancel()
    player?.rest()
    (image, state, problem, drawn, source, begun) = (nil, nil, nil, nil, nil, nil)
    waiting = []
  }

  /// The changes that were requested before the picture had been decoded.
  private var waiting: [(inout ZoomState) -> Void] = []

  /// Changes the visible part or the scale, once the picture has been decoded.
  func change(_ change: @escaping (inout ZoomState) -> Void) {
    if state == nil { waiting.append(change) } else { change(&state!) }
  }

  // MARK: Drawing

  private var view = CellSize(columns: 1, rows: 1)
  private var cell = PixelSize(width: 8, height: 16)

  /// Returns how long to wait for the next frame of an animation; nil if none is played.
  func nextFrame(after moment: Duration) -> Duration? { player?.nextFrame(after: moment) }

  func draw(
    in area: CellRect, cell: PixelSize, motion: MotionPlayer.Motion, moment: Duration,
    into canvas: inout Canvas
  ) {
    (view, self.cell) = (area.size, cell)
    if var state {
      state.resize(view, cell: cell)
      // Assigning an equal value would make another frame.
      if state != self.state { self.state = state }
      prepare(state)
    }
    guard let drawn else {
      let text = (problem ?? "Opening the picture").fitted(to: area.columns)
      canvas.draw(
        text,
        at: CellPoint(
          column: area.column + (area.columns - text.columns) / 2,
          row: area.row + area.rows / 2), ink: problem == nil ? .secondary : .problem)
      return
    }
    let picture = frame(motion, at: moment) ?? drawn
    canvas.place(picture, in: area.centered(picture.size), clip: area)
  }

  /// Returns the frame of an animation that is due; nil of a still or an enlarged picture.
  private func frame(
    _ motion: MotionPlayer.Motion, at moment: Duration
  ) -> (any PreparedPicture)? {
    guard let image, let state, state.isFitted else {
      player?.rest()
      return nil
    }
    return player?.frame(of: image, size: state.size, cell: cell, motion, at: moment)
  }

  /// Begins to prepare what a state shows; while another one is being prepared, it waits for that.
  private func prepare(_ state: ZoomState) {
    guard let source, let output, begun != state else { return }
    if let magnifiable = source.magnifiable {
      begun = state
      drawn = magnifiable.part(state.region, filling: state.size)
      return
    }
    guard drawing == nil else { return }
    begun = state
    drawing = Task {
      let picture = await Self.prepare(state, source.pyramid, for: output)
      drawing = nil
      if !Task.isCancelled { drawn = picture }
      // What was wanted meanwhile is drawn now, of another picture too; what was wanted before
      // that never is.
      if let newest = self.state { prepare(newest) }
    }
  }

  @concurrent
  private static func decode(
    _ image: RemoteImage, for output: any PictureOutput
  ) async throws -> Source {
    let bytes = try await image.dataRepresentation.data()
    let size = try PictureDecoder.header(of: bytes).size
    var target = size
    if size.width * size.height > mostPixels {
      let share = (Double(mostPixels) / Double(size.width * size.height)).squareRoot()
      target = PixelSize(
        width: max(1, Int(Double(size.width) * share) / 2),
        height: max(1, Int(Double(size.height) * share) / 2))
    }
    let bitmap = try await PictureDecoder().decode(bytes, covering: target).bitmap
    try Task.checkCancellation()
    return await PictureThreads.run {
      Source(pyramid: PicturePyramid(bitmap), magnifiable: output.magnifiable(bitmap))
    }
  }

  /// Draws a step on a thread of its own, so that quitting does not wait for it.
  private nonisolated static func prepare(
    _ state: ZoomState, _ pyramid: PicturePyramid, for output: any PictureOutput
  ) async -> any PreparedPicture {
    await PictureThreads.run {
      let pixels = CellRect(state.size).pixels(cell: output.pixelsPerCell(state.cell)).size
      let part = pyramid.part(state.region, covering: pixels)
      return output.prepare(part, encoded: nil, filling: state.size, cell: state.cell)
    }
  }
}
