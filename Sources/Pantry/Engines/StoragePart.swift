package import FoundationEssentials

/// The part of a transaction in one key space.
public struct StoragePart: Sendable {
  /// The engine of the key space.
  public let storage: any StorageEngine
  /// The changes to write, in order; if there are none, the basis is compared all the same.
  public internal(set) var changes: [StorageChange]
  /// The rows that the changes depend on.
  public let basis: ReadSet
  /// The follower to advance past the transaction.
  public let follower: StorageFollower
  /// Judges the rows that the changes overwrite or remove; nil admits all.
  package let rowGuard: RowGuard?
  /// Makes the changes anew in the engine's transaction, if others have changed the basis: gets the
  /// changes of others; nil writes nothing then.
  ///
  /// Only engines that keep attachments call it.
  package var again: (@Sendable (StorageUpdate) throws -> [StorageChange])?

  /// Creates a part.
  public init(
    storage: any StorageEngine, changes: [StorageChange], basis: ReadSet,
    follower: StorageFollower
  ) {
    self.init(
      storage: storage, changes: changes, basis: basis, follower: follower, rowGuard: nil)
  }

  init(
    storage: any StorageEngine, changes: [StorageChange], basis: ReadSet = .nothing,
    follower: StorageFollower = StorageFollower {}, rowGuard: RowGuard?
  ) {
    self.storage = storage
    self.changes = changes
    self.basis = basis
    self.follower = follower
    self.rowGuard = rowGuard
  }

  /// Throws if a row of the storage must be neither overwritten nor removed.
  ///
  /// - Parameters:
  ///   - key: the key of the row.
  ///   - row: the bytes that the storage has under it.
  /// - Throws: ``StorageError/newerModel(type:version:supported:)`` for a row of a newer program,
  ///   ``StorageError/otherRow(namespace:key:asks:)`` for one that may be another type's.
  package func admit(_ key: CacheKey, over row: Data) throws {
    try rowGuard?.admit(key, over: row)
  }

  /// Judges the existing rows that the changes overwrite or remove.
  ///
  /// - Parameter update: the earlier changes of others. Without any, a caller that knows all rows
  ///   has judged them itself.
  func admitChanges(
    after update: StorageUpdate, all: () throws -> [StorageRow], row: (CacheKey) throws -> Data?
  ) throws {
    guard let rowGuard, !rowGuard.knowsAll || follower.cursor == nil || !update.isEmpty else {
      return
    }
    for change in changes {
      if let key = change.key {
        if let data = try row(key) { try rowGuard.admit(key, over: data) }
      } else {
        for row in try all() { try rowGuard.admit(row.key, over: row.data) }
      }
    }
  }

  /// Reads all rows that the changes overwrite, remove or depend on, and judges them.
  ///
  /// For an engine that cannot do so in its transaction. A row of which reading throws
  /// ``StorageError/damagedFile(path:reason:)`` is replaced.
  ///
  /// - Throws: ``StorageError`` for a row of a newer program or another type; the engine's error.
  public func admitChanges() async throws {
    guard rowGuard != nil else { return }
    var rows: [(key: CacheKey, data: Data)] = []
    if changes.contains(where: { $0.key == nil }) {
      rows = try await storage.readAllDataAndKeys()
    } else {
      var keys = changes.compactMap(\.key)
      if case .keys(let others) = basis { keys += others.subtracting(keys) }
      do {
        rows = try await storage.readDataAndKeys(keys: keys)
      } catch StorageError.damagedFile {
        // It hides no other.
        for key in keys {
          do {
            if let data = try await storage.read(key: key) { rows.append((key, data)) }
          } catch StorageError.damagedFile {}
        }
      }
    }
    for row in rows { try admit(row.key, over: row.data) }
  }
}

extension [StoragePart] {
  /// Whether nothing is to be written, and only the bases count.
  package var changeNothing: Bool { allSatisfy(\.changes.isEmpty) }

  /// Reads the changes of others, and compares the bases with them, without a lock.
  ///
  /// - Throws: the engine's error.
  package func compared() async throws -> [StorageCommit] {
    var updates: [StorageUpdate] = []
    do {
      for part in self { updates.append(try await part.storage.changes(for: part.follower)) }
    } catch {
      // What has been read is not shown: it is read again.
      for part in prefix(updates.count) {
        part.follower.cursor = nil
        part.follower.tell()
      }
      throw error
    }
    let isConflict = zip(self, updates).contains { $1.concerns($0.basis) }
    return updates.map { StorageCommit(update: $0, positions: isConflict ? nil : []) }
  }
}
