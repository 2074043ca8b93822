internal import Dispatch

/// Frees a large value off the main actor.
///
/// Freeing 100,000 items takes tens of milliseconds.
///
/// - Parameters:
///   - value: a value that the caller does not use again in this turn.
///   - count: its approximate number of items.
@MainActor
func discard(_ value: some Sendable, of count: Int) {
  guard count > 1_000 else { return }
  Task.detached {
    // After this turn of the main actor, when the caller has released it: this is the last
    // reference.
    await MainActor.run {}
    discarding.async { withExtendedLifetime(value) {} }
  }
}

/// Not the cooperative pool: several large values would block all its threads.
private let discarding = DispatchQueue(label: "pantry.discard", qos: .utility)
