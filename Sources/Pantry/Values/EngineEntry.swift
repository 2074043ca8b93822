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
  /// The position up to which the storage has been read.
  private let follower = StorageFollower {}
  private let state = Lock(State())

  private init(_ key: CacheKey, in storage: any StorageEngine) {
    self.key = key
    self.storage = storage
    storage.add(follower)
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
  ///
  /// - Parameters:
  ///   - replacing: whether a value that cannot be read counts as not set.
  ///   - change: gets the stored value, nil if none is set; called again if others change it in the
  ///     same moment.
  nonisolated(nonsending) func change(
    replacing: Bool = false, _ change: @escaping @Sendable (Item?) -> Item?
  ) async throws {
    let task = state.withLock { state in
      let task = Task { [last = state.last] in
        _ = await last?.result
        try await self.load()
        try await self.apply(change, replacing: replacing)
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
    let found = stored(data)
    await MainActor.run {
      switch found {
      case .success(let stored): value.load(stored, issue: nil)
      case .failure(let issue): value.load(nil, issue: issue)
      }
    }
    state.withLock { ($0.loading, $0.isReading) = (.finished, false) }
  }

  private func stored(_ data: Data?) -> Result<Item?, LoadIssue> {
    do throws(LoadIssue) {
      guard let data else { return .success(nil) }
      return .success(
        try RowCoder(storage: storage).decode(Item.self, from: data, key: key).value)
    } catch {
      return .failure(error)
    }
  }

  /// Judges the rows that a change overwrites or removes.
  private var rowGuard: RowGuard {
    RowType(.values, of: nil) { [self] _, data in
      if case .success = stored(data) { true } else { false }
    }.rowGuard(of: Item.self, in: storage, version: 0, isShared: state.withLock(\.isShared))
  }

  /// Applies a change to the stored value, which another engine or process may have set since it
  /// was loaded; called for one at a time.
  ///
  /// If others change it meanwhile, the change is made again: in the engine's transaction, where it
  /// has one, so that no number of writers keeps any from its turn.
  private func apply(
    _ change: @escaping @Sendable (Item?) -> Item?, replacing: Bool
  ) async throws {
    let rowGuard = rowGuard
    let applied = Lock<Item?>(nil)
    let changed: @Sendable (Data?) throws -> (old: Item?, new: Item?) = { [self] data in
      var old: Item?
      switch stored(data) {
      case .success(let stored): old = stored
      case .failure(let issue):
        if !replacing { throw issue.refusal(of: rowGuard.type, supported: 0) }
      }
      let new = change(old)
      applied.withLock { $0 = new }
      return (old, new)
    }
    var backOff = ConflictBackOff(patience: .seconds(120))
    while true {
      let data = try await storage.read(key: key)
      let (old, new) = try changed(data)
      // With the same bytes, nothing is written.
      let write =
        if let new {
          try await RowCoder(storage: storage).change(writing: new, key: key, over: old)
        } else {
          data.map { _ in StorageChange.remove(key: key) }
        }
      var part = StoragePart(
        storage: storage, changes: write.map { [$0] } ?? [], basis: .keys([key]),
        follower: follower, rowGuard: rowGuard)
      part.again = { [self] update in
        let data = update.rows.last { $0.key == key }?.data
        guard let new = try changed(data).new else { return data == nil ? [] : [.remove(key: key)] }
        return [try RowCoder(storage: storage).changeInTurn(writing: new, key: key)]
      }
      guard try await storage.commit([part])[0].positions != nil else {
        _ = try await backOff.waitAfterConflict(over: Item.self)
        continue
      }
      storage.noteStored(part.changes)
      return await MainActor.run { value.change { _ in applied.withLock(\.self) } }
    }
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
