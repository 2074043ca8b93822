/// The work of a store's core, in the order in which it was asked for.
@MainActor
struct StoreQueue<Item: StorableItem> {
  private enum Entry {
    case operation(QueuedOperation<Item>)
    case turn(StoreTurn)
  }

  enum Work {
    case turn(StoreTurn)
    /// Operations that are committed together.
    case writing([QueuedOperation<Item>])
    /// Reading the writes of others.
    case reading
  }

  private var pending: [Entry] = []
  /// Whether others may have written something that has not been read yet.
  var isBehind = false

  var isEmpty: Bool { pending.isEmpty && !isBehind }

  mutating func append(_ operation: QueuedOperation<Item>) { pending.append(.operation(operation)) }
  mutating func append(_ turn: StoreTurn) { pending.append(.turn(turn)) }

  /// Takes the next work: all leading operations that can be committed together, or one entry.
  mutating func takeWork() -> Work? {
    var batch: [QueuedOperation<Item>] = []
    for entry in pending {
      guard case .operation(let next) = entry,
        batch.isEmpty || batch[0].isShared && next.isShared
      else { break }
      batch.append(next)
    }
    pending.removeFirst(batch.count)
    guard batch.isEmpty else { return .writing(batch) }
    if case .turn(let turn) = pending.first {
      pending.removeFirst()
      return .turn(turn)
    }
    guard isBehind else { return nil }
    isBehind = false
    return .reading
  }
}

/// An operation whose caller waits for its end.
@MainActor
final class QueuedOperation<Item: StorableItem> {
  let steps: [StoreStep<Item>]
  let confirms: ProvisionalItems<Item>.Token?
  /// Whether it can be resolved on top of others that have not been committed.
  let isShared: Bool
  /// The item that its last update leaves, or why it failed.
  private var outcome: Result<Item?, any Error>?
  private var waiting: CheckedContinuation<Item?, any Error>?

  init(_ steps: [StoreStep<Item>], confirming change: ProvisionalItems<Item>.Token?) {
    self.steps = steps
    confirms = change
    isShared = steps.allSatisfy(\.isShared)
  }

  func end(_ outcome: Result<Item?, any Error>) {
    assert(self.outcome == nil, "an operation ends twice")
    self.outcome = outcome
    waiting?.resume(with: outcome)
    waiting = nil
  }

  func hasEnded() async throws -> Item? {
    if let outcome { return try outcome.get() }
    return try await withCheckedThrowingContinuation { waiting = $0 }
  }
}
