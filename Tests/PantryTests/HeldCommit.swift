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
