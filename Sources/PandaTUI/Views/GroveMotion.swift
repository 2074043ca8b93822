internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import PictureCodecs
internal import TerminalKit

/// Lets a drawn panda blink or twitch an ear now and then.
///
/// One delay at a time, and only while a panda of the grove is shown. A moment begins and ends, so
/// with ten seconds at least between two, the program wakes up once in five seconds on average.
@MainActor
final class GroveMotion {
  /// The time for which eyes are closed, or an ear is turned.
  static let moment = Duration.milliseconds(150)
  /// The range of the seconds between two moments.
  static let pause = 10.0...20.0

  fileprivate struct Key: Hashable {
    let id: String
    let size: CellSize
    let cell: PixelSize
    let moment: BambooGroveSource.Moment
  }

  private let output: any PictureOutput
  private let clock: any AppClock
  private let log: Log
  private let decoder = PictureDecoder()
  @Observed private var shown: (key: Key, picture: any PreparedPicture)?
  private var prepared: [Key: any PreparedPicture] = [:]
  /// The panda on the screen; nil if it may not move.
  private var current: (image: RemoteImage, size: CellSize, cell: PixelSize)?
  /// Whether a moment is to come, is drawn, or is shown.
  private var isUnderWay = false

  /// Creates the motion of one pane.
  ///
  /// - Parameter log: receives why nothing moves.
  init(output: any PictureOutput, clock: any AppClock, log: Log = .off) {
    self.output = output
    self.clock = clock
    self.log = log
  }

  /// Returns what a picture looks like in the moment that is shown; nil if it is as always.
  ///
  /// Call it for what a frame of the screen shows; observed.
  func frame(
    of image: RemoteImage, size: CellSize, cell: PixelSize, _ motion: MotionPlayer.Motion
  ) -> (any PreparedPicture)? {
    guard motion == .playing, BambooGroveSource.isDrawing(image) else {
      rest()
      return nil
    }
    if current?.image.id != image.id { prepared = [:] }
    current = (image, size, cell)
    wait()
    guard let shown, shown.key.id == image.id, shown.key.size == size, shown.key.cell == cell
    else { return nil }
    return shown.picture
  }

  /// Notes that no picture is shown, or that none may move.
  func rest() { current = nil }

  private func wait() {
    guard !isUnderWay else { return }
    isUnderWay = true
    clock.after(.seconds(Double.random(in: Self.pause))) { [weak self] in
      guard let self else { return }
      Task { await self.move() }
    }
  }

  private func move() async {
    let moment = BambooGroveSource.Moment.allCases.randomElement() ?? .blink
    guard let current, let picture = await picture(of: current, moment) else {
      isUnderWay = false
      return
    }
    shown = (Key(current, moment), picture)
    clock.after(Self.moment) { [weak self] in
      self?.isUnderWay = false
      self?.shown = nil
    }
  }

  /// Returns the picture of a moment; nil if there is none, or it is no longer of use.
  private func picture(
    of image: (image: RemoteImage, size: CellSize, cell: PixelSize),
    _ moment: BambooGroveSource.Moment
  ) async -> (any PreparedPicture)? {
    let key = Key(image, moment)
    if let known = prepared[key] { return known }
    do {
      guard let bytes = try await BambooGroveSource.drawing(of: image.image, in: moment) else {
        return nil
      }
      let picture = try await Self.prepare(bytes, key, decoder: decoder, output: output)
      guard let current, Key(current, moment) == key else { return nil }
      prepared[key] = picture
      return picture
    } catch {
      log.notice(.pictures, "\(key.id) does not move: \(technicalCause(of: error))")
      return nil
    }
  }

  @concurrent
  private static func prepare(
    _ bytes: Data, _ key: Key, decoder: PictureDecoder, output: any PictureOutput
  ) async throws -> any PreparedPicture {
    let target = CellRect(key.size).pixels(cell: output.pixelsPerCell(key.cell)).size
    let drawing = try await decoder.decode(bytes, covering: target)
    return await PictureThreads.run {
      output.prepare(drawing.bitmap, encoded: nil, filling: key.size, cell: key.cell)
    }
  }
}

extension GroveMotion.Key {
  fileprivate init(
    _ current: (image: RemoteImage, size: CellSize, cell: PixelSize),
    _ moment: BambooGroveSource.Moment
  ) {
    self.init(id: current.image.id, size: current.size, cell: current.cell, moment: moment)
  }
}
