import Observation

@testable import Pantry

/// Counts how often something observed changes, as a view would notice it.
@MainActor
final class ChangeCounter<Value: Sendable> {
  private(set) var count = 0
  private let read: @MainActor () -> Value

  init(_ read: @escaping @MainActor () -> Value) {
    self.read = read
    observe()
  }

  var latest: Value { read() }

  private func observe() {
    withObservationTracking {
      _ = read()
    } onChange: { [weak self] in
      // What is observed keeps this closure: a counter in it would keep that in turn.
      MainActor.assumeIsolated {
        self?.count += 1
        self?.observe()
      }
    }
  }
}
