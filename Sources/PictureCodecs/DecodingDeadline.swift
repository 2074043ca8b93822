/// When a decoding must have ended: asked between two rows or pieces, so that a picture that is
/// wanted no longer, or takes too long, stops costing.
struct DecodingDeadline: Sendable {
  private let end: ContinuousClock.Instant
  private let limit: Duration
  private let now: @Sendable () -> ContinuousClock.Instant

  /// Starts the time.
  init(
    after limit: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    end = now() + limit
    self.limit = limit
    self.now = now
  }

  /// Throws `CancellationError`, or a ``PictureError`` of kind `.tooSlow` when the time is over.
  package func check() throws {
    try Task.checkCancellation()
    guard now() < end else { throw PictureError(.tooSlow(limit: limit)) }
  }
}
