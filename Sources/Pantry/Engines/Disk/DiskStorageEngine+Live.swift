internal import FoundationEssentials

extension StorageFollower {
  /// The changed files that it has not read, and the keys under which it knows their items; nil
  /// before its first read.
  var unread: [ContentDigest: CacheKey]? {
    get { cursor as? [ContentDigest: CacheKey] }
    set { cursor = newValue }
  }
}

extension DiskStorageEngine: LiveStorage {
  /// Notifies the follower of writes of other engines and processes to the directory.
  public nonisolated func add(_ follower: StorageFollower) { followers.insert(follower) }

  /// Reads all items of the directory, as of one moment, or throws ``DiskError``.
  public func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    watcher.report { [weak self] in Task { await self?.check() } }
    return try access {
      let rows = try allRows()
      follower.unread = [:]
      return rows
    }
  }

  /// Reads the writes of others to the directory, or throws ``DiskError``.
  public func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    try access {
      let update = try update(for: follower)
      follower.unread = [:]
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
    var update = StorageUpdate()
    guard let unread = follower.unread, unread.isEmpty || !hasTies() else {
      return StorageUpdate(rows: try allRows(), isEverything: true)
    }
    for (digest, key) in unread {
      let row = try row(digest, at: items[digest]?.header.position ?? 0)
      if let row { update.rows.append(row) }
      if row?.key != key { update.removed.append(key) }
    }
    update.rows.sort { $0.position < $1.position }
    return update
  }

  /// Whether items have had the same position, as after files were copied by hand: then a change
  /// may move others.
  private func hasTies() -> Bool {
    let positions = items.values.filter(\.isReadable).map(\.header.position)
    hadTies = hadTies || Set(positions).count < positions.count
    return hadTies
  }

  /// Reads what has changed, and tells the followers.
  private func check() {
    // The error is thrown to the next caller that reads, and the check is repeated.
    if !followers.all.isEmpty { try? access {} }  // see above
  }

  /// Notes the change of a file for the followers, who know it as `item`.
  func note(_ digest: ContentDigest, _ item: DiskItem) {
    if noted[digest] == nil { noted[digest] = item.key }
  }

  /// Adds the noted changes to what the followers have not read, and tells them; those that have
  /// read nothing yet will read all.
  ///
  /// - Parameter writer: the one that made the changes.
  func handOver(except writer: StorageFollower? = nil) {
    guard !noted.isEmpty || hasFailed else { return }
    for follower in followers.all where follower !== writer {
      follower.unread?.merge(noted) { known, _ in known }
      if follower.unread?.isEmpty == false { follower.tell() }
    }
    (noted, hasFailed) = ([:], false)
  }
}
