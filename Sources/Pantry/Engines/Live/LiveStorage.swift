internal import FoundationEssentials

/// An engine that others may write to at any moment, other engines and other processes, and that
/// says so.
///
/// How far a ``Store`` has followed is in its ``StorageFollower``. Whoever reads or commits for a
/// follower gets what others have changed since then: every row that is different, once, as it is
/// now.
protocol LiveStorage: StorageEngine {
  /// Makes a follower that has read nothing yet.
  ///
  /// - Parameter onChange: called on any thread, from the first ``rows(for:)`` on, when there may be
  ///   something to read; without harm if there is not.
  nonisolated func follower(_ onChange: @escaping @Sendable () -> Void) -> StorageFollower

  /// Reads everything as of one moment, in insertion order; the follower is there then.
  func rows(for follower: StorageFollower) async throws -> [StorageRow]

  /// Reads what others have changed since the follower was here last.
  func changes(for follower: StorageFollower) async throws -> StorageUpdate

  /// Reads what others have changed, then applies `changes`, in one transaction.
  ///
  /// - Parameter basis: what `changes` were worked out from. If others have changed that, nothing is
  ///   written.
  func commit(
    _ changes: [StorageChange], basedOn basis: StorageBasis, for follower: StorageFollower
  ) async throws -> StorageCommit
}

/// An engine whose rows can be read page by page, so that no reading is long.
protocol PagedStorage: LiveStorage {
  /// Reads at most `limit` rows after `position`, in insertion order.
  ///
  /// Each page is of its own moment; with the first, the follower is at that moment. So the rows are
  /// right once ``LiveStorage/changes(for:)`` has been added to the last page.
  ///
  /// - Parameter position: nil begins anew.
  /// - Returns: nil if the pages before are of another file by now.
  func page(
    after position: Int?, limit: Int, for follower: StorageFollower
  ) async throws -> [StorageRow]?
}

/// A row as it is in a storage.
struct StorageRow: Sendable {
  let key: CacheKey
  let data: Data
  /// Larger than that of every row that was inserted before.
  let position: Int
}

/// What others have changed.
struct StorageUpdate: Sendable {
  /// The rows that are new or different, in insertion order.
  var rows: [StorageRow] = []
  /// The keys that are no longer there.
  var removed: [CacheKey] = []
  /// Whether `rows` are all that there is: it is not known what others have changed.
  var isEverything = false

  var isEmpty: Bool { rows.isEmpty && removed.isEmpty && !isEverything }

  /// Whether something of `basis` is different now.
  func concerns(_ basis: StorageBasis) -> Bool {
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
enum StorageBasis: Sendable {
  /// They are what they are, whatever is there.
  case nothing
  /// The rows, or the absence of rows, under these keys.
  case keys(Set<CacheKey>)
  /// Perhaps all that there is.
  case everything
}

/// What became of a commit.
struct StorageCommit: Sendable {
  /// What others have changed before it.
  let update: StorageUpdate
  /// For each change, the position of the row that it inserted; nil where it inserted none.
  ///
  /// The whole is nil if nothing was written, since others have changed what the changes were worked
  /// out from.
  let positions: [Int?]?
}
