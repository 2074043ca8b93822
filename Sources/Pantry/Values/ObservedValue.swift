internal import Synchronization

/// A value in memory that is set or not, and tells observers and streams when it changes.
///
/// Wrappers with different defaults may share one: while it is not set, each shows its own.
final class ObservedValue<Item: StorableItem>: Sendable {
  private struct State {
    /// Nil as long as nothing is set; `Item` may be an Optional itself.
    var stored: Item?
    var issue: LoadIssue?
    /// Every default that a wrapper shows instead of nil.
    var defaults: [Item] = []
  }

  private let state: Mutex<State>
  private let gate = ObservationGate()
  private let changes = Broadcast<Item?>()

  /// - Parameters:
  ///   - stored: what is set, if anything.
  ///   - issue: why what is set could not be used.
  init(stored: Item? = nil, issue: LoadIssue? = nil) {
    state = Mutex(State(stored: stored, issue: issue))
  }

  /// How many streams there are.
  var subscriberCount: Int { changes.subscriberCount }

  /// Lets a wrapper show `item` while nothing is set.
  func register(default item: Item) {
    state.withLock { if !$0.defaults.contains(item) { $0.defaults.append(item) } }
  }

  func value(default item: Item) -> Item {
    gate.access()
    return state.withLock { $0.stored } ?? item
  }

  /// What is set, not observed.
  var stored: Item? { state.withLock { $0.stored } }

  var issue: LoadIssue? {
    gate.access()
    return state.withLock { $0.issue }
  }

  /// The value now and then the newest, without one that equals the one before.
  func values(default item: Item) -> AsyncStream<Item> {
    let stream = state.withLock {
      changes.subscribe(startingWith: [$0.stored], bufferingPolicy: .bufferingNewest(1))
    }
    // Compared where they arrive: what is skipped decides which of them are neighbours.
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

  /// Sets what `change` makes of what is set, and tells observers if they see a difference.
  ///
  /// `commit` is called before anybody else can change the value, unless nothing has changed.
  func change(_ change: (Item?) -> Item?, commit: (Item?) -> Void = { _ in }) {
    let isSeen = state.withLock { state in
      let old = state.stored
      let new = change(old)
      guard new != old || state.issue != nil else { return false }
      let isSeen =
        state.issue != nil || state.defaults.contains { (old ?? $0) != (new ?? $0) }
      state.stored = new
      state.issue = nil
      commit(new)
      if isSeen { changes.send(new) }
      return isSeen
    }
    // After the change and outside the lock, since an observer may read at once. Nobody misses it:
    // a reader asks to be told before it reads.
    if isSeen { gate.withMutation {} }
  }

  /// Takes over what was loaded.
  func load(_ stored: Item?, issue: LoadIssue?) {
    change { _ in stored }
    guard let issue else { return }
    state.withLock { $0.issue = issue }
    gate.withMutation {}
  }
}

/// What a stream gave last.
private final class LastValue<Item: Equatable & Sendable>: Sendable {
  private let value = Mutex<Item?>(nil)

  /// Keeps `new`; false if it equals what was there.
  func replace(with new: Item) -> Bool {
    value.withLock { value in
      guard value != new else { return false }
      value = new
      return true
    }
  }
}
