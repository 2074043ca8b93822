/// The excerpt of a store that is loading: read before everything else, dropped with the loading.
@MainActor
final class ExcerptReader<Item: StorableItem> {
  /// How many items it has at most; with none there is no excerpt.
  let limit: Int

  /// Not the gate of the items: these do not change when there is an excerpt.
  private let gate = ObservationGate()
  private var current: StoreExcerpt<Item>?
  private var reading: Task<Void, Never>?

  init(limit: Int) {
    self.limit = limit
  }

  /// The excerpt; observed.
  var excerpt: StoreExcerpt<Item>? {
    gate.access()
    return current
  }

  /// Whether there is an excerpt; not observed.
  var isShown: Bool { current != nil }

  /// Begins to read the excerpt that a load is to wait for, or returns nil if there is to be none.
  func start(by coder: ItemCoder<Item>) -> Task<Void, Never>? {
    guard limit > 0 else { return nil }
    let task = Task {
      guard let excerpt = await coder.excerpt(limit: limit) else { return }
      gate.withMutation { current = excerpt }
    }
    reading = task
    return task
  }

  /// Returns when the excerpt is there, if there is to be one.
  func hasEnded() async { await reading?.value }

  /// Drops the excerpt and makes `change`, the end of the loading, as one change for its observers.
  func drop(with change: () -> Void) {
    reading = nil
    guard current != nil else { return change() }
    gate.withMutation {
      current = nil
      change()
    }
  }
}
