internal import Dispatch

/// Lets go of a value off the main actor, if it is large: freeing 100,000 items takes it tens of
/// milliseconds.
///
/// - Parameters:
///   - value: what the caller does not use again before the end of its turn.
///   - count: about how many items there are in it.
@MainActor
func discard(_ value: some Sendable, of count: Int) {
  guard count > 1_000 else { return }
  Task.detached {
    // After this turn of the main actor, when the caller has let go of it: this is the last then.
    await MainActor.run {}
    discarding.async { withExtendedLifetime(value) {} }
  }
}

/// Not the cooperative pool: several large values would keep all its threads.
private let discarding = DispatchQueue(label: "pantry.discard", qos: .utility)
