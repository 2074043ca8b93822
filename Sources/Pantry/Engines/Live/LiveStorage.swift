public import FoundationEssentials

/// An engine that others may write to at any moment, other engines and other processes, and that
/// says so.
///
/// A ``Store`` on such an engine follows what others write. How far it has followed is in its
/// ``StorageFollower``: whoever reads or commits for a follower gets what others have changed since
/// then, and the engine moves the follower's cursor past it.
///
/// - Every row that is different is delivered, as it is now. A row may be delivered again, and one
///   that the follower wrote itself too: it is recognized as known.
/// - Rows need not become visible in the order of their positions: an update may bring a row whose
///   position is before those that are known.
/// - Nothing is missed: what is committed at the moment of a call is delivered by this call or by a
///   later one, of which the follower is told.
///
/// `EngineContract` of PantryTesting checks it, for an engine under test that `isLive`.
public protocol LiveStorage: StorageEngine {
  /// Begins to tell a follower of what others write, as long as it lives.
  ///
  /// It is told from its first ``rows(for:)`` on.
  nonisolated func add(_ follower: StorageFollower)

  /// Reads everything as of one moment, in the order of the positions; the follower is there then.
  ///
  /// - Throws: the engine's error; then the follower is where it was.
  func rows(for follower: StorageFollower) async throws -> [StorageRow]

  /// Reads what others have changed since the follower was here last, as of one moment.
  ///
  /// - Throws: the engine's error; then the follower is where it was.
  func changes(for follower: StorageFollower) async throws -> StorageUpdate

  /// Reads what others have changed, then applies `changes` in their order, in one transaction.
  ///
  /// - Parameters:
  ///   - changes: what is to be written.
  ///   - basis: what `changes` were worked out from. If it is not any more as the follower has read
  ///     it, nothing is written.
  ///   - follower: who is past the commit then.
  /// - Throws: the engine's error; then nothing is written, and the follower is where it was. If
  ///   the answer to the commit was lost, ``StorageError/outcomeUnknown(reason:)``: the store reads
  ///   what is true before it goes on.
  func commit(
    _ changes: [StorageChange], basedOn basis: StorageBasis, for follower: StorageFollower
  ) async throws -> StorageCommit
}

/// An engine whose rows can be read page by page, so that no reading is long.
public protocol PagedStorage: LiveStorage {
  /// Reads at most `limit` rows after `position`, in the order of the positions.
  ///
  /// Each page is of its own moment; with the first, the follower is at that moment. So the rows
  /// are right once ``LiveStorage/changes(for:)`` has been added to the last page.
  ///
  /// - Parameters:
  ///   - position: nil begins anew.
  ///   - limit: how many rows are in a page.
  ///   - follower: who is at the moment of the first page then.
  /// - Returns: nil if what the pages before are of is not there any more: begin anew.
  /// - Throws: the engine's error.
  func page(
    after position: Int?, limit: Int, for follower: StorageFollower
  ) async throws -> [StorageRow]?

  /// Reads the last rows in the order of the positions, and counts all, as of one moment.
  ///
  /// A ``Store`` that was asked for an excerpt shows them while it reads the pages. No follower moves.
  ///
  /// - Parameter limit: how many rows are read at most.
  /// - Throws: the engine's error.
  func newestPage(limit: Int) async throws -> (rows: [StorageRow], count: Int)
}

/// A row as it is in a storage.
public struct StorageRow: Sendable {
  /// The key that it is under.
  public let key: CacheKey
  /// What is in it.
  public let data: Data
  /// Its place among the others: larger than that of every row that was inserted before, and below
  /// `1 << 62`.
  ///
  /// It stays when the row is overwritten.
  public let position: Int

  /// Creates a row.
  public init(key: CacheKey, data: Data, position: Int) {
    self.key = key
    self.data = data
    self.position = position
  }
}

/// What others have changed.
public struct StorageUpdate: Sendable {
  /// The rows that are new or different, in the order of their positions.
  public var rows: [StorageRow]
  /// The keys that are no longer there.
  public var removed: [CacheKey]
  /// Whether `rows` are all that there is: it is not known what others have changed.
  public var isEverything: Bool

  /// Creates an update, by default one in which nothing has changed.
  public init(rows: [StorageRow] = [], removed: [CacheKey] = [], isEverything: Bool = false) {
    self.rows = rows
    self.removed = removed
    self.isEverything = isEverything
  }

  /// Whether nothing has changed.
  public var isEmpty: Bool { rows.isEmpty && removed.isEmpty && !isEverything }

  /// Whether something of `basis` is in it.
  ///
  /// That is a conflict for an engine that delivers only what is different; one that delivers rows
  /// again compares what was read with what is there.
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

/// What changes were worked out from, in one key space.
public enum StorageBasis: Sendable {
  /// They are what they are, whatever is there.
  case nothing
  /// The rows, or the absence of rows, under these keys.
  case keys(Set<CacheKey>)
  /// Perhaps all that there is.
  case everything
}

/// What became of a commit.
public struct StorageCommit: Sendable {
  /// What others have changed before it.
  public let update: StorageUpdate
  /// For each change, the position of the row that it inserted; nil where it inserted none.
  ///
  /// The whole is nil if nothing was written, since others have changed what the changes were
  /// worked out from; empty if the engine does not tell the positions.
  public let positions: [Int?]?

  /// Creates a result.
  public init(update: StorageUpdate, positions: [Int?]?) {
    self.update = update
    self.positions = positions
  }
}
