internal import SystemSupport

/// An optional value in memory that notifies observers and streams of changes.
///
/// Wrappers with different defaults may share one: while it is not set, each shows its own default.
final class ObservedValue<Item: StorableItem>: Sendable {
  private struct State {
    /// Nil as long as no value is set; `Item` may be an Optional itself.
    var stored: Item?
    var issue: LoadIssue?
    /// Every default that a wrapper shows instead of nil.
    var defaults: [Item] = []
  }

  private let state: Lock<State>
  private let gate = ObservationGate()
  private let changes = Broadcast<Item?>()

  /// - Parameters:
  ///   - stored: the value, if one is set.
  ///   - issue: why the stored value could not be decoded.
  init(stored: Item? = nil, issue: LoadIssue? = nil) {
    state = Lock(State(stored: stored, issue: issue))
  }

  var subscriberCount: Int { changes.subscriberCount }

  func register(default item: Item) {
    state.withLock { state in
      if !state.defaults.contains(where: { $0.hasSameBytes(as: item) }) {
        state.defaults.append(item)
      }
    }
  }

  func value(default item: Item) -> Item {
    gate.access()
    return state.withLock { $0.stored } ?? item
  }

  /// The stored value, without observing it.
  var stored: Item? { state.withLock { $0.stored } }

  var issue: LoadIssue? {
    gate.access()
    return state.withLock { $0.issue }
  }

  /// A stream of the current value and then the newest, without repetitions.
  func values(default item: Item) -> AsyncStream<Item> {
    let stream = state.withLock {
      changes.subscribe(startingWith: [$0.stored], bufferingPolicy: .bufferingNewest(1))
    }
    // Compared on delivery, since skipped values decide which ones are neighbors.
    let last = LastValue<Item>()
    return AsyncStream {
      var iterator = stream.makeAsyncIterator()
      while let stored = await iterator.next() {
        let value = stored ?? item
        if last.replace(with: value) { return value }
      }
      return nil
    }
  }

  /// Applies `change`, and notifies observers if they see a difference.
  ///
  /// `commit` is called before the next change can happen, also with the value of before: the
  /// stored one may be another by now.
  ///
  /// - Parameter endingIssue: whether the stored value is replaced, or has been read.
  func change(
    endingIssue: Bool = true, _ change: (Item?) -> Item?, commit: (Item?) -> Void = { _ in }
  ) {
    let isSeen = state.withLock { state in
      let old = state.stored
      let new = change(old)
      let isSame =
        if let new, let old { new.hasSameBytes(as: old) } else { new == nil && old == nil }
      let endsIssue = endingIssue && state.issue != nil
      guard !isSame || endsIssue else {
        commit(new)
        return false
      }
      let isSeen =
        endsIssue
        || state.defaults.contains { !(old ?? $0).hasSameBytes(as: new ?? $0) }
      state.stored = new
      if endsIssue { state.issue = nil }
      commit(new)
      if isSeen { changes.send(new) }
      return isSeen
    }
    // After the change and outside the lock, since an observer may read at once. No reader misses
    // it: readers register before they read.
    if isSeen { gate.withMutation {} }
  }

  func load(_ stored: Item?, issue: LoadIssue?) {
    change { _ in stored }
    guard let issue else { return }
    state.withLock { $0.issue = issue }
    gate.withMutation {}
  }
}

private final class LastValue<Item: StorableItem>: Sendable {
  private let value = Lock<Item?>(nil)

  /// Keeps `new`; returns false if it is the same as the former value.
  func replace(with new: Item) -> Bool {
    value.withLock { value in
      if let value, value.hasSameBytes(as: new) { return false }
      value = new
      return true
    }
  }
}

extension Encodable where Self: Equatable {
  /// Returns whether the value is equal to `other`, with the same bytes on disk.
  ///
  /// Bytes are compared if the values are equal, since `==` may ignore a part of them.
  fileprivate func hasSameBytes(as other: Self) -> Bool {
    self == other && RowCoder(storage: nil).haveSameBytes(self, other)
  }
}
