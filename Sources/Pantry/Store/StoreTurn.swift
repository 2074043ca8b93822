/// A turn in the queue of a store's operations, taken by a transaction.
@MainActor
final class StoreTurn {
  private var waiting: CheckedContinuation<Void, Never>?
  private var running: CheckedContinuation<Void, Never>?
  private var hasBegun = false
  private var hasEnded = false

  func begun() async {
    guard !hasBegun else { return }
    assert(waiting == nil, "two wait for one turn")
    await withCheckedContinuation { waiting = $0 }
  }

  /// Ends the turn, even before it has begun.
  func end() {
    hasEnded = true
    running?.resume()
    running = nil
  }

  /// Begins the turn, and returns when it has ended.
  func run() async {
    assert(!hasBegun, "a turn begins twice")
    hasBegun = true
    waiting?.resume()
    waiting = nil
    guard !hasEnded else { return }
    await withCheckedContinuation { running = $0 }
  }
}
