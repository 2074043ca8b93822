internal import FoundationEssentials

/// The items as a follower last read them, or wrote them itself.
private struct DiskSnapshot: Sendable {
  var version: Int
  var items: [ContentDigest: DiskItem]
}

extension DiskStorageEngine: LiveStorage {
  /// Notifies the follower of writes of other engines and processes to the directory.
  public nonisolated func add(_ follower: StorageFollower) { followers.insert(follower) }

  /// Reads all items of the directory, as of one moment, or throws ``DiskError``.
  public func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    try access {
      let rows = try allRows()
      advance(follower)
      return rows
    }
  }

  /// Reads the writes of others to the directory, or throws ``DiskError``.
  public func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    try access {
      let update = try update(for: follower)
      advance(follower)
      return update
    }
  }

  /// Reads the writes of others, and commits, under one lock; throws ``DiskError``.
  public func commit(
    _ changes: [StorageChange], basedOn basis: StorageBasis, for follower: StorageFollower
  ) async throws -> StorageCommit {
    try apply(changes, basedOn: basis, for: follower)
  }

  /// Reads what a follower has not read.
  func update(for follower: StorageFollower) throws -> StorageUpdate {
    guard let known = follower.cursor as? DiskSnapshot else {
      return StorageUpdate(rows: try allRows(), isEverything: true)
    }
    var update = StorageUpdate()
    guard known.version != version else { return update }
    for (digest, item) in items where item.version != known.items[digest]?.version {
      if let row = try row(digest) { update.rows.append(row) }
    }
    update.rows.sort { $0.position < $1.position }
    for (digest, former) in known.items where items[digest]?.key != former.key {
      update.removed.append(former.key)
    }
    return update
  }

  /// Notes that a follower has read all items, except those of `unread`.
  func advance(_ follower: StorageFollower?, except unread: [(ContentDigest, DiskItem)] = []) {
    var snapshot = DiskSnapshot(version: unread.isEmpty ? version : -1, items: items)
    for (digest, item) in unread { snapshot.items[digest] = item }
    follower?.cursor = snapshot
  }

  /// Notifies the followers that have read an earlier version of the items.
  func tellFollowers() {
    guard told != version else { return }
    told = version
    for follower in followers.all {
      if let known = follower.cursor as? DiskSnapshot, known.version != version { follower.tell() }
    }
  }
}
