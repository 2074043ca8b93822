public import FoundationEssentials

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
  package var isEmpty: Bool { rows.isEmpty && removed.isEmpty && !isEverything }

  /// Returns whether the update contains changes to `basis`.
  ///
  /// That is a conflict for an engine that delivers only changed rows; an engine that may deliver
  /// unchanged rows again has to compare them.
  public func concerns(_ basis: ReadSet) -> Bool {
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
public enum ReadSet: Sendable {
  /// They do not depend on any rows.
  case nothing
  /// The rows, or the absence of rows, under these keys.
  case keys(Set<CacheKey>)
  /// They may depend on all rows.
  case everything

  /// Whether they depend on no row.
  package var isNothing: Bool {
    switch self {
    case .nothing: true
    case .keys(let keys): keys.isEmpty
    case .everything: false
    }
  }

  /// The rows of all of `sets`.
  init(joining sets: some Sequence<ReadSet>) {
    var keys: Set<CacheKey> = []
    for set in sets {
      switch set {
      case .nothing: break
      // In place: a union of two would copy all keys so far.
      case .keys(let others): keys.formUnion(others)
      case .everything:
        self = .everything
        return
      }
    }
    self = keys.isEmpty ? .nothing : .keys(keys)
  }
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
