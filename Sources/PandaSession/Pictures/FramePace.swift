/// Determines how soon the next frame of a moving picture may be sent.
///
/// A moving picture uses at most two fifths of what the terminal takes, so that there is room for
/// the frames of keys. Frames that come due meanwhile are left out.
package struct FramePace: Hashable, Sendable {
  /// More frames a second are not seen in a terminal.
  private static let shortest = Duration.milliseconds(33)
  /// The bytes that the kernel accepts at once, whatever the terminal does.
  private static let buffered = 16_384

  /// The least time between two frames.
  package private(set) var pause = shortest

  package init() {}

  /// Notes how long the terminal took for a frame.
  ///
  /// - Parameter bytes: the size of the frame; a small one is no measure.
  package mutating func record(_ time: Duration, for bytes: Int = .max) {
    guard bytes > Self.buffered else { return }
    pause = max(Self.shortest, time * 3 / 2)
  }
}
