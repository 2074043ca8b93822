import Testing

@testable import Pantry

/// A `commit` that ends when the test decides, with a given result.
@MainActor
final class HeldCommit {
  private(set) var hasBegun = false
  private var continuation: CheckedContinuation<Void, any Error>?

  /// Waits for ``succeed()`` or ``fail()``.
  func run() async throws {
    try await withCheckedThrowingContinuation {
      continuation = $0
      hasBegun = true
    }
  }

  func succeed() { end(with: .success(())) }

  func fail() { end(with: .failure(OutOfOrder())) }

  private func end(with result: Result<Void, any Error>) {
    continuation?.resume(with: result)
    continuation = nil
  }
}

/// Begins a change, which is shown when this returns.
@MainActor
func begin(
  _ operation: Store<Note>.Operation, in store: Store<Note>, _ commit: HeldCommit = HeldCommit()
) -> (commit: HeldCommit, task: Task<Void, any Error>) {
  let task = Task.immediate { try await store.optimistically(operation, commit: commit.run) }
  #expect(commit.hasBegun)
  return (commit, task)
}
