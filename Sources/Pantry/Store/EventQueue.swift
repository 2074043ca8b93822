internal import SystemSupport

/// The events that a subscriber of a store has not read, bounded by the number of their items.
///
/// If they are too many, one `.loaded` event with all items replaces them.
final class EventQueue<Item: StorableItem>: Sendable {
  private struct State {
    /// The events to read next, in reverse order.
    var next: [StoreEvent<Item>]
    /// The events to read after those.
    var later: [StoreEvent<Item>] = []
    /// The number of changed items in both.
    var count = 0
  }

  private let state: Lock<State>

  init(_ events: [StoreEvent<Item>]) {
    state = Lock(State(next: events.reversed()))
  }

  /// The number of changed items in unread events at which they are replaced, at least.
  static var limit: Int { 1_000 }

  /// Appends the events of one change, or replaces all if there are too many.
  ///
  /// The limit grows with the store, so that replacing costs O(1) for each changed item.
  ///
  /// - Parameter items: all items after the change.
  @MainActor
  func append(_ events: [StoreEvent<Item>], of items: [Item]) {
    let former = state.withLock { state in
      guard state.count >= max(Self.limit, items.count) else {
        state.later += events
        state.count += events.reduce(0) { $0 + $1.changeCount }
        return State(next: [])
      }
      let first = state.next.last.map { [$0] } ?? []
      let former = state
      state = State(
        next: [StoreEvent(operation: .loaded, items: items)]
          + first.filter { $0.operation == .initialized })
      return former
    }
    // Not under the lock, nor on the main actor if they are many.
    discard(former, of: former.count)
  }

  /// Removes and returns the next event; nil if there is none.
  func next() -> StoreEvent<Item>? {
    state.withLock { state in
      if state.next.isEmpty {
        state.next = state.later.reversed()
        state.later = []
      }
      let event = state.next.popLast()
      state.count -= event?.changeCount ?? 0
      return event
    }
  }
}

extension StoreEvent {
  /// The number of items that it keeps in memory besides those of the store.
  fileprivate var changeCount: Int { operation == .loaded ? 0 : items.count }
}
