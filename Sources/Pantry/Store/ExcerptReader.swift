/// The excerpt of a store that is loading: read before everything else, dropped with the loading.
@MainActor
final class ExcerptReader<Item: StorableItem> {
  /// How many items it has at most; with none there is no excerpt.
  let limit: Int

  /// Not the gate of the items: these do not change when there is an excerpt.
  private let gate = ObservationGate()
  /// The excerpt, not observed.
  private(set) var current: StoreExcerpt<Item>?
  private var reading: Task<Void, Never>?
  private let headStart: Duration
  private var pause: Task<Void, Never>?
  private var isUrgent = false

  /// - Parameters:
  ///   - limit: how many items it has at most.
  ///   - headStart: how long those who show the excerpt have the cores to themselves. A first screen
  ///     of `panda` takes about as long, and was a quarter later when the load ran beside it.
  init(limit: Int, headStart: Duration = .milliseconds(80)) {
    self.limit = limit
    self.headStart = headStart
  }

  /// The excerpt; observed.
  var excerpt: StoreExcerpt<Item>? {
    gate.access()
    return current
  }

  /// Begins to read the excerpt, if there is to be one.
  func start(by coder: ItemCoder<Item>) {
    guard limit > 0 else { return }
    reading = Task {
      guard let excerpt = await coder.excerpt(limit: limit) else { return }
      gate.withMutation { current = excerpt }
    }
  }

  /// Returns when the load may begin: once the excerpt is there and has been shown.
  func mayLoad() async {
    await reading?.value
    guard current != nil, !isUrgent else { return }
    let pause = Task<Void, Never> {
      try? await Task.sleep(for: headStart)  // fails when it is cut short
    }
    self.pause = pause
    await pause.value
    self.pause = nil
  }

  /// Lets the load begin at once: somebody waits for it.
  func hurry() {
    isUrgent = true
    pause?.cancel()
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
