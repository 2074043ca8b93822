internal import SystemSupport
internal import Observation

/// Reads a value again when one of its dependencies has changed.
///
/// No change is lost between two calls: each checks for changes since the last reading.
@MainActor
final class WatchReader<Value: Equatable & Sendable> {
  private let read: @MainActor () -> Value?
  private var last: Value?
  /// The next change since the last reading.
  private var change: AwaitedChange?

  nonisolated init(_ read: @escaping @MainActor () -> Value?) {
    self.read = read
  }

  func next() async -> Value? {
    while !Task.isCancelled {
      if let change {
        guard await change.hasHappened() else { return nil }
        // It may have been canceled after the change, before it ran.
        if Task.isCancelled { return nil }
      }
      let change = AwaitedChange()
      self.change = change
      let count = ObservationGate.changeCount
      let value = withObservationTracking(read, onChange: change.happen)
      // Another thread has changed something since the reading began, perhaps before tracking.
      if ObservationGate.changeCount != count { change.happen() }
      if let value, last != .some(value) {
        last = value
        return value
      }
    }
    return nil
  }
}

/// A one-time event that one task waits for.
private final class AwaitedChange: Sendable {
  private struct State {
    var hasHappened = false
    var isCancelled = false
    var continuation: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  @Sendable func happen() { end { $0.hasHappened = true } }

  /// Waits for the event; false if the task is canceled before.
  func hasHappened() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasEnded = state.withLock { state in
          if state.hasHappened || state.isCancelled { return true }
          state.continuation = continuation
          return false
        }
        if hasEnded { continuation.resume() }
      }
    } onCancel: {
      end { $0.isCancelled = true }
    }
    return state.withLock(\.hasHappened)
  }

  private func end(_ change: (inout State) -> Void) {
    let continuation = state.withLock { state in
      change(&state)
      return state.continuation.take()
    }
    continuation?.resume()
  }
}
