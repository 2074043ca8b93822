/// Determines how soon the next frame of a moving picture may be sent.
///
/// Writing a frame takes until the terminal has read nearly all of it. Half of the time stays for
/// keys, and frames that come due meanwhile are left out.
struct FramePace: Hashable, Sendable {
  /// More frames a second are not seen in a terminal.
  private static let shortest = Duration.milliseconds(33)

  /// The least time between two frames.
  private(set) var pause = shortest

  /// Notes how long the terminal took for a frame.
  mutating func note(_ time: Duration) { pause = max(Self.shortest, time) }
}
