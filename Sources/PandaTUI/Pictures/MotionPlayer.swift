internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// Plays the one picture of a pane that may move.
///
/// It decodes and prepares all frames off the main actor, within `Playback.memory`, so that a
/// second loop only sends what is there. Until then, and for a still picture, it has no frame to
/// show.
@MainActor
final class MotionPlayer {
  enum Motion: Hashable, Sendable {
    /// They are still, and nothing is decoded for it.
    case off
    /// They stand at the frame that was due last.
    case stopped
    case playing
  }

  private struct Key: Hashable {
    let id: String
    let size: CellSize
    let cell: PixelSize
  }

  /// Whether frames are cut to fill their place, as thumbnails are.
  private let isCropping: Bool
  private let output: any PictureOutput
  private let decoder = PictureDecoder()
  private let log: Log
  /// The frames of the last picture; no animation for a still one.
  @Observed private var loaded: (key: Key, animation: PreparedAnimation?)?
  private var worker: (task: Task<Void, Never>, key: Key)?
  private var playback: Playback?
  private var isPlayedByTerminal = false

  /// Creates a player for an output.
  ///
  /// - Parameters:
  ///   - isCropping: whether frames are cut to fill their place, as thumbnails are.
  ///   - log: receives why frames cannot be decoded.
  init(output: any PictureOutput, isCropping: Bool = false, log: Log = .off) {
    self.isCropping = isCropping
    self.output = output
    self.log = log
  }

  /// Returns the frame of a picture that is due; nil if the picture is still, or not yet decoded.
  ///
  /// Call it for what a frame of the screen shows; observed.
  func frame(
    of image: RemoteImage, size: CellSize, cell: PixelSize, _ motion: Motion, at moment: Duration
  ) -> (any PreparedPicture)? {
    guard motion != .off, !size.isEmpty else {
      rest()
      return nil
    }
    let key = Key(id: image.id, size: size, cell: cell)
    guard loaded?.key == key else {
      load(image, key)
      return nil
    }
    guard let animation = loaded?.animation else { return nil }
    if motion == .playing { playback?.run(at: moment) } else { playback?.stop(at: moment) }
    playback?.advance(to: moment)
    guard let playback else { return nil }
    if motion == .playing, !playback.isOver, let played = animation.played, played.isComplete {
      isPlayedByTerminal = true
      return played
    }
    isPlayedByTerminal = false
    return animation.frames[playback.index].picture
  }

  /// Returns the time until the next frame that the program draws; nil for none.
  ///
  /// Nil if nothing moves, or the terminal moves it.
  func nextFrame(after moment: Duration) -> Duration? {
    isPlayedByTerminal ? nil : playback?.nextFrame(after: moment)
  }

  /// Notes that no picture is shown.
  func rest() {
    worker?.task.cancel()
    worker = nil
    playback = nil
    isPlayedByTerminal = false
    if loaded != nil { loaded = nil }
  }

  private func load(_ image: RemoteImage, _ key: Key) {
    guard worker?.key != key else { return }
    rest()
    let task = Task { [output, decoder, log, isCropping] in
      var animation: PreparedAnimation?
      do {
        let bytes = try await image.dataRepresentation.data()
        animation = try await Self.prepare(
          bytes, key, isCropping: isCropping, decoder: decoder, output: output)
      } catch is CancellationError {
        return
      } catch {
        // The picture itself is shown, or its own loader says why not.
        log.notice(.pictures, "\(key.id) does not move: \(technicalCause(of: error))")
      }
      guard !Task.isCancelled else { return }
      worker = nil
      playback = animation.map { animation in
        Playback(
          durations: animation.frames.map(\.duration), loopCount: animation.loopCount)
      }
      loaded = (key, animation)
    }
    worker = (task, key)
  }

  /// Decodes and prepares all frames; nil if the picture is still.
  @concurrent
  private static func prepare(
    _ bytes: Data, _ key: Key, isCropping: Bool, decoder: PictureDecoder, output: any PictureOutput
  ) async throws -> PreparedAnimation? {
    try Task.checkCancellation()
    let original = try PictureDecoder.header(of: bytes).size
    let limit = output.frameLimit(
      of: original, filling: key.size, cell: key.cell, memory: Playback.memory)
    let target = CellRect(key.size).pixels(cell: output.pixelsPerCell(key.cell)).size
    let animation = try await decoder.frames(of: bytes, covering: target, atMost: limit) { frame in
      output.prepareFrame(
        isCropping ? frame.cropped(toFill: target) : frame, filling: key.size, cell: key.cell)
    }
    return animation.map { output.animation($0) }
  }
}
