public import FoundationEssentials

/// An engine that other engines and processes may write to, and that reports their changes.
///
/// A ``Store`` on such an engine follows the writes of others. Its ``StorageFollower`` has a
/// cursor: reading or committing for a follower returns the changes of others since then, and the
/// engine advances the cursor past them.
///
/// - Every changed row is delivered in its current state. A row may be delivered again, even one
///   that the follower wrote itself; the store recognizes it as known.
/// - Rows need not become visible in the order of their positions: an update may contain a row
///   whose position is before known ones.
/// - No change is missed: a commit during a call is delivered by this call or by a later one, of
///   which the follower is notified.
///
/// `EngineContract` of PantryTesting checks this for an engine under test with `isLive`.
///
/// Reading changes must take time for the changes, not for all rows.
public protocol LiveStorage: StorageEngine {
  /// Starts notifying a follower of the writes of others, for the follower's lifetime.
  ///
  /// Notifications begin with its first ``rows(for:)``.
  nonisolated func add(_ follower: StorageFollower)

  /// Reads a snapshot of all rows, in the order of their positions, and advances the follower to
  /// it.
  ///
  /// - Throws: the engine's error; then the follower has not advanced.
  func rows(for follower: StorageFollower) async throws -> [StorageRow]

  /// Reads the changes of others since the follower's cursor, as of one moment.
  ///
  /// - Throws: the engine's error; then the follower has not advanced.
  func changes(for follower: StorageFollower) async throws -> StorageUpdate

  /// Reads the changes of others, then applies `changes` in order, in one transaction.
  ///
  /// - Parameters:
  ///   - changes: the changes to write.
  ///   - basis: the rows that `changes` depend on. If others have changed them since the follower's
  ///     cursor, nothing is written.
  ///   - follower: is advanced past the commit.
  /// - Throws: the engine's error; then nothing is written, and the follower has not advanced. If
  ///   the answer to the commit was lost, ``StorageError/outcomeUnknown(reason:)``: the store reads
  ///   the storage again before its next operation.
  func commit(
    _ changes: [StorageChange], basedOn basis: StorageBasis, for follower: StorageFollower
  ) async throws -> StorageCommit
}

/// An engine whose rows can be read page by page, so that no single read takes long.
public protocol PagedStorage: LiveStorage {
  /// Reads at most `limit` rows after `position`, in the order of the positions.
  ///
  /// Each page is a snapshot of its own moment; the first one advances the follower to its moment.
  /// So the rows are consistent once ``LiveStorage/changes(for:)`` has been added to the last page.
  ///
  /// - Parameters:
  ///   - position: the position of the last row read; nil starts over.
  ///   - limit: the number of rows in a page.
  ///   - follower: is advanced to the moment of the first page.
  /// - Returns: nil if the storage of the earlier pages was replaced: start over.
  /// - Throws: the engine's error.
  func page(
    after position: Int?, limit: Int, for follower: StorageFollower
  ) async throws -> [StorageRow]?

  /// Reads the last rows by position, and counts all rows, as of one moment.
  ///
  /// A ``Store`` with an excerpt shows them while it reads the pages. No follower advances.
  ///
  /// - Parameter limit: the maximum number of rows.
  /// - Throws: the engine's error.
  func newestPage(limit: Int) async throws -> (rows: [StorageRow], count: Int)
}

/// A row of a storage.
public struct StorageRow: Sendable {
  /// The key of the row.
  public let key: CacheKey
  /// The bytes of the row.
  public let data: Data
  /// The place of the row in insertion order.
  ///
  /// It is larger than that of every earlier row, and below `1 << 62`. Overwriting the row keeps
  /// it.
  public let position: Int
  /// The reading failure, as a sentence; nil if `data` is what was written.
  ///
  /// A ``Store`` lists such a row in its `loadIssues`, with what `data` has of it.
  public let reason: String?

  /// Creates a row.
  public init(key: CacheKey, data: Data, position: Int, reason: String? = nil) {
    self.key = key
    self.data = data
    self.position = position
    self.reason = reason
  }
}

/// The changes of others.
public struct StorageUpdate: Sendable {
  /// The new and changed rows, in the order of their positions.
  public var rows: [StorageRow]
  /// The removed keys.
  public var removed: [CacheKey]
  /// Whether `rows` are all rows, because the changes themselves are unknown.
  public var isEverything: Bool

  /// Creates an update, by default without changes.
  public init(rows: [StorageRow] = [], removed: [CacheKey] = [], isEverything: Bool = false) {
    self.rows = rows
    self.removed = removed
    self.isEverything = isEverything
  }

  /// Whether nothing has changed.
  public var isEmpty: Bool { rows.isEmpty && removed.isEmpty && !isEverything }

  /// Returns whether the update contains changes to `basis`.
  ///
  /// That is a conflict for an engine that delivers only changed rows; an engine that may deliver
  /// unchanged rows again has to compare them.
  public func concerns(_ basis: StorageBasis) -> Bool {
    switch basis {
    case .nothing: return false
    case .everything: return !isEmpty
    case .keys(let keys):
      guard !keys.isEmpty else { return false }
      return isEverything || rows.contains { keys.contains($0.key) }
        || removed.contains { keys.contains($0) }
    }
  }
}

/// The rows that changes depend on, in one key space.
public enum StorageBasis: Sendable {
  /// They do not depend on any rows.
  case nothing
  /// The rows, or the absence of rows, under these keys.
  case keys(Set<CacheKey>)
  /// They may depend on all rows.
  case everything
}

/// The outcome of a commit.
public struct StorageCommit: Sendable {
  /// The changes of others before the commit.
  public let update: StorageUpdate
  /// For each change, the position of the inserted row, or nil if none was inserted.
  ///
  /// The array is nil if nothing was written because others have changed the basis; empty if the
  /// engine does not report positions.
  public let positions: [Int?]?

  /// Creates a result.
  public init(update: StorageUpdate, positions: [Int?]?) {
    self.update = update
    self.positions = positions
  }
}
