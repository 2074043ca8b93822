/// Limits the concurrent requests to one service, and waits for its ``RequestGates``.
actor RequestLimiter {
  /// The maximum wait; a longer one is an error, since other sources can be asked instead.
  static let patience = Duration.seconds(2)

  private let source: String
  private let limits: SourceDescription.Limits
  private let gates: RequestGates
  private let timer: MonotonicTimer
  /// Returns whether the requests have a contact; asked when the first one is made.
  private let hasContact: @Sendable () -> Bool
  private var running = 0
  private var waiting: [(id: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var lastID = 0

  init(
    _ source: String, _ limits: SourceDescription.Limits, _ gates: RequestGates,
    timer: MonotonicTimer, hasContact: @escaping @Sendable () -> Bool = { true }
  ) {
    self.source = source
    self.limits = limits
    self.gates = gates
    self.timer = timer
    self.hasContact = hasContact
  }

  /// Makes a request once it is allowed.
  ///
  /// - Parameters:
  ///   - label: the service's name for the error.
  ///   - isCounted: whether the request counts towards the limit per minute.
  /// - Throws: ``ImageSourceError`` of kind `.resting` if that is not soon; any error of `request`.
  func perform<Answer: Sendable>(
    _ label: String, isCounted: Bool = true, _ request: @Sendable () async throws -> Answer
  ) async throws -> Answer {
    await enter()
    defer { leave() }
    try Task.checkCancellation()
    // Without a contact, the limit holds for all commands of a minute.
    let strict = isCounted && !hasContact() ? limits.withoutContact : nil
    let rate = min(strict ?? .max, limits.requestsPerMinute)
    while isCounted,
      let wait = gates.open(
        source, keeping: strict != nil, { $0.request(perMinute: rate, at: $1) })
    {
      guard wait <= Self.patience else { throw ImageSourceError(.resting(wait), host: label) }
      try await timer.sleep(wait)
    }
    do {
      return try await request()
    } catch let error as HTTPError where isCounted && error.isUnsent {
      gates.open(source, keeping: strict != nil) { gate, _ in gate.takeBackRequest(perMinute: rate)
      }
      throw error
    }
  }

  private func enter() async {
    guard running >= limits.connections else {
      running += 1
      return
    }
    lastID += 1
    let id = lastID
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.append((id, continuation))
        // It may have been canceled before it was queued.
        if Task.isCancelled { admit(id) }
      }
    } onCancel: {
      Task { await admit(id) }
    }
  }

  /// Admits a canceled request out of turn; it leaves again immediately.
  private func admit(_ id: Int) {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    running += 1
    waiting.remove(at: index).continuation.resume()
  }

  private func leave() {
    running -= 1
    guard running < limits.connections, !waiting.isEmpty else { return }
    running += 1
    waiting.removeFirst().continuation.resume()
  }
}
