package import FoundationEssentials

/// The rows that a caller may overwrite and remove: the one judge of every change of a row.
///
/// A store, a transaction, an ``ObjectStorage`` and a value hand it to the engine with their
/// changes, and the engine asks it for each row that it has, right before it writes. So what is
/// refused depends on the row in the storage, not on what the caller has read of it.
package struct RowGuard: Sendable {
  /// The type in messages.
  let type: TypeName
  /// The newest version of a row that the caller can read; nil for a format without versions.
  package let version: Int?
  /// The keys whose rows the user asked to remove, whatever they are.
  package var discarded: Set<CacheKey> = []
  /// Whether the caller may change all rows that there were when its follower last read.
  package var knowsAll = false
  /// Throws if a row may be another type's; nil where all rows are the caller's.
  package var requireOwn: (@Sendable (CacheKey, Data) throws(StorageError) -> Void)?

  /// Throws if a change must neither overwrite nor remove `row`.
  func admit(_ key: CacheKey, over row: Data) throws(StorageError) {
    guard !discarded.contains(key) else { return }
    if let version, case let found = RowVersion.split(row).version, found > version {
      throw .newerModel(type: type.shown, version: found, supported: version)
    }
    try requireOwn?(key, row)
  }
}
