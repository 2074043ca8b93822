internal import FoundationEssentials
internal import SystemSupport

/// One value of an engine in memory, and its pending changes.
///
/// Memory changes on the main actor, where most observers are; all other work is off it.
final class EngineEntry<Item: StorableItem>: Sendable {
  private enum Loading {
    case notStarted
    case underWay(Task<Void, any Error>)
    case finished
  }

  private struct State {
    var loading = Loading.notStarted
    /// Whether the load under way has begun to read.
    var isReading = false
    /// Whether the key space may have rows of others.
    var isShared = false
    /// The latest change: the next one waits for it.
    var last: Task<Void, any Error>?
  }

  let value = ObservedValue<Item>()
  private static var claim: RowType { RowType(.values, of: nil) }

  private let key: CacheKey
  private let storage: any StorageEngine
  private let state = Lock(State())

  private init(_ key: CacheKey, in storage: any StorageEngine) {
    self.key = key
    self.storage = storage
    _ = loadingTask()
  }

  /// The entry of `key`, shared by all users of the key space in this process.
  static func shared(_ key: CacheKey, in storage: any StorageEngine) -> EngineEntry {
    let place = EngineEntryKey(
      storage: StoreLocation(storage), key: key, type: ObjectIdentifier(Item.self))
    let entries = ProcessContext.current.object { WeakTable<EngineEntryKey>() }
    return entries.object(place) { EngineEntry(key, in: storage) }
  }

  /// Returns when the value has been loaded; a failed load is retried.
  ///
  /// So is one that had begun before the call: what made it fail may be over.
  nonisolated(nonsending) func load() async throws {
    let isLate = state.withLock(\.isReading)
    do {
      try await loadingTask()?.value
    } catch  where isLate {
      try await loadingTask()?.value
    }
  }

  /// Changes the value, in the engine and then in memory, after all earlier changes.
  nonisolated(nonsending) func change(
    _ change: @escaping @Sendable (Item?) -> Item?
  ) async throws {
    let task = state.withLock { state in
      let task = Task { [last = state.last] in
        _ = await last?.result
        try await self.load()
        try await self.apply(change)
      }
      state.last = task
      return task
    }
    try await task.value
  }

  /// The task that loads the value, started if there is none; nil when it has loaded.
  private func loadingTask() -> Task<Void, any Error>? {
    state.withLock { state in
      switch state.loading {
      case .finished: return nil
      case .underWay(let task): return task
      case .notStarted:
        let task = Task {
          self.state.withLock { $0.isReading = true }
          do {
            let isShared = try await Self.claim.take(self.storage)
            self.state.withLock { $0.isShared = isShared }
            let data = try await self.storage.read(key: self.key)
            await self.finishLoading(data)
          } catch {
            self.state.withLock { ($0.loading, $0.isReading) = (.notStarted, false) }
            throw error
          }
        }
        state.loading = .underWay(task)
        return task
      }
    }
  }

  private func finishLoading(_ data: Data?) async {
    var stored: Item?
    var issue: LoadIssue?
    do throws(LoadIssue) {
      if let data {
        stored = try RowCoder(storage: storage).decode(Item.self, from: data, key: key).value
      }
    } catch {
      issue = error
    }
    await MainActor.run { [stored, issue] in value.load(stored, issue: issue) }
    state.withLock { ($0.loading, $0.isReading) = (.finished, false) }
  }

  /// Applies a change to the stored value, which another engine or process may have set since it
  /// was loaded; called for one at a time.
  private func apply(_ change: @Sendable (Item?) -> Item?) async throws {
    let data = try await storage.read(key: key)
    let coder = RowCoder(storage: storage)
    // An unreadable value counts as not set, as after loading.
    let old = data.flatMap { try? coder.decode(Item.self, from: $0, key: key).value }
    if old == nil, data != nil, state.withLock(\.isShared) {
      throw Self.claim.refusal(of: key, as: Item.self, in: storage)
    }
    let new = change(old)
    if let new {
      guard let row = try await coder.encode(new, over: old) else {
        return await MainActor.run { value.change { _ in new } }
      }
      try coder.verify(row, of: new, key: key)
      let write = StorageChange.write(row.data, key: key, attachments: row.attachments)
      try await storage.commit([write])
      storage.noteStored([write])
    } else {
      if data != nil { try await storage.commit([.remove(key: key)]) }
    }
    await MainActor.run { value.change { _ in new } }
  }
}

/// Identifies an entry in the process.
///
/// An entry keeps its engine alive, and so the engine's identifier valid.
private struct EngineEntryKey: Hashable, Sendable {
  let storage: StoreLocation
  let key: CacheKey
  let type: ObjectIdentifier
}
