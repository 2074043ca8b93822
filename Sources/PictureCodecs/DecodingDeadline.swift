/// The time by which decoding must end.
///
/// It is checked between two rows or pieces, so that decoding stops for a picture that is no longer
/// wanted or takes too long.
struct DecodingDeadline: Sendable {
  private let end: ContinuousClock.Instant
  private let limit: Duration
  private let now: @Sendable () -> ContinuousClock.Instant

  /// Starts the timer.
  init(
    after limit: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    end = now() + limit
    self.limit = limit
    self.now = now
  }

  /// Throws `CancellationError`, or a ``PictureError`` of kind `.tooSlow` after the deadline.
  package func check() throws {
    try Task.checkCancellation()
    guard now() < end else { throw PictureError(.tooSlow(limit: limit)) }
  }
}
