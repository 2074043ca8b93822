public import FoundationEssentials
internal import SystemSupport

/// An engine that keeps everything in memory and writes no file.
///
/// Its methods are `async` like the protocol's: otherwise Swift would pick the protocol's defaults
/// for a caller that knows the type.
///
/// The engine is an actor on the default executor. A call on one key is O(1); one on all rows sorts
/// them, in O(n log n).
public actor MemoryStorageEngine: StorageEngine {
  /// One for all engines in memory, so that a transaction over several is one step.
  private static let turn = Lock(())

  /// Used within `turn` only.
  private nonisolated(unsafe) var rows = MemoryRows()
  private var definition: String?
  private nonisolated let followers = StorageFollowers()
  private nonisolated let now: @Sendable () -> Date
  private nonisolated let knowsPositions: Bool

  /// Creates an empty engine.
  ///
  /// - Parameter now: the clock of `createdAt` and `updatedAt`.
  public init(now: @escaping @Sendable () -> Date = { Date() }) {
    self.init(knowsPositions: true, now: now)
  }

  /// - Parameter knowsPositions: not for a store with rows that the engine does not have.
  init(knowsPositions: Bool, now: @escaping @Sendable () -> Date = { Date() }) {
    (self.knowsPositions, self.now) = (knowsPositions, now)
  }

  private nonisolated func read<Result>(_ body: (MemoryRows) -> Result) -> Result {
    Self.turn.withLock { _ in body(rows) }
  }

  /// The same for all engines in memory.
  public nonisolated var joint: ObjectIdentifier { ObjectIdentifier(MemoryStorageEngine.self) }

  /// Writes `data` under `key`; never fails.
  public func write(_ data: Data, key: CacheKey) async { await commit([.write(data, key: key)]) }

  /// Reads the data of `key`, or nil.
  public func read(key: CacheKey) async -> Data? { read { $0[key]?.data } }

  /// Reads everything with its keys in insertion order.
  ///
  /// - Complexity: O(n log n): the entries are sorted.
  public func readAllDataAndKeys() async -> [(key: CacheKey, data: Data)] {
    read(\.ordered).map { ($0.key, $0.data) }
  }

  /// Removes `key` and its data.
  public func remove(key: CacheKey) async { await commit([.remove(key: key)]) }

  /// Removes everything.
  public func removeAllData() async { await commit([.removeAll]) }

  /// Returns whether `key` exists.
  public func keyExists(_ key: CacheKey) async -> Bool { read { $0[key] != nil } }

  /// Returns the number of keys.
  public func keyCount() async -> Int { read(\.count) }

  /// Returns every key in insertion order.
  ///
  /// - Complexity: O(n log n): the entries are sorted.
  public func allKeys() async -> [CacheKey] { read(\.ordered).map(\.key) }

  /// Returns the time at which `key` was first written, or nil.
  public func createdAt(key: CacheKey) async -> Date? { read { $0[key]?.createdAt } }

  /// Returns the time at which `key` was last written, or nil.
  public func updatedAt(key: CacheKey) async -> Date? { read { $0[key]?.updatedAt } }

  /// Returns the recorded definition of the rows, or nil.
  public func definition(for claim: RowType) async -> String? { definition }

  /// Records the definition of `claim` if the recorded one still is `known`.
  public func record(_ claim: RowType, replacing known: String?) async -> String? {
    if definition == known { definition = claim.definition }
    return definition
  }

  // MARK: Following

  /// Notifies the follower of writes to the engine by others than its store.
  public nonisolated func add(_ follower: StorageFollower) { followers.insert(follower) }

  /// Reads all rows, as of one moment.
  public func rows(for follower: StorageFollower) async -> [StorageRow] {
    Self.turn.withLock { _ in
      follower.cursor = Set<CacheKey>()
      return rows.ordered
    }
  }

  /// Reads the writes of others.
  public func changes(for follower: StorageFollower) async -> StorageUpdate {
    Self.turn.withLock { _ in
      defer { follower.cursor = Set<CacheKey>() }
      return update(for: follower)
    }
  }

  private nonisolated func update(
    for follower: StorageFollower, basedOn basis: ReadSet = .everything
  ) -> StorageUpdate {
    StorageUpdate(for: follower, basedOn: basis, all: { rows.ordered }) { rows.row($0) }
  }

  // MARK: Committing

  /// Applies all changes in one step; none can fail.
  public func commit(_ changes: [StorageChange]) async {
    Self.turn.withLock { _ in _ = apply(changes, by: nil) }
  }

  /// Commits all parts in one step, which only a row that must not be changed makes fail.
  public func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    try Self.turn.withLock { _ in
      let parts = parts.map { (part: $0, engine: $0.storage as? MemoryStorageEngine ?? self) }
      let updates = parts.map { $1.update(for: $0.follower, basedOn: $0.basis) }
      let isConflict = zip(parts, updates).contains { $1.concerns($0.part.basis) }
      for ((part, engine), update) in zip(parts, updates) where !isConflict {
        try part.admitChanges(after: update, all: { engine.rows.ordered }) {
          engine.rows[$0]?.data
        }
      }
      return zip(parts, updates).map { part, update in
        if part.part.follower.cursor != nil || !part.part.basis.isNothing {
          part.part.follower.cursor = Set<CacheKey>()
        }
        return StorageCommit(
          update: update,
          positions: isConflict
            ? nil : part.engine.apply(part.part.changes, by: part.part.follower))
      }
    }
  }

  /// Applies changes; returns the positions of new rows, as far as it knows them.
  private nonisolated func apply(
    _ changes: [StorageChange], by author: StorageFollower?
  ) -> [Int?] {
    let time = now()
    followers.note(keys(of: changes), by: author)
    let positions = changes.map { change -> Int? in
      switch change {
      case .write(let data, let key, _): return rows.put(data, key: key, at: time)
      case .remove(let key): rows.remove(key)
      case .removeAll: rows.removeAll()
      }
      return nil
    }
    return knowsPositions ? positions : []
  }

  private nonisolated func keys(of changes: [StorageChange]) -> Set<CacheKey> {
    let all = changes.contains { $0.key == nil } ? rows.ordered.map(\.key) : []
    return Set(all + changes.compactMap(\.key))
  }
}
