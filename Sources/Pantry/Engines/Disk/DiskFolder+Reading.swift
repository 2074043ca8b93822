internal import FoundationEssentials

extension DiskFolder {
  /// Gives `body` the index of what is in the directory.
  func withIndex<Result: Sendable>(_ body: (DiskIndex) throws -> Result) throws -> Result {
    try access(.reading) { try body($0.index) }
  }

  /// Reads what is under a key with this digest, or nil.
  ///
  /// - Throws: ``StorageError/damagedFile(path:reason:)`` if its file is not as it was written.
  func data(_ digest: ContentDigest) throws -> Data? {
    try access(.reading) { try data(digest, &$0) }
  }

  /// Reads what is under those of `keys` that there are, as of one moment.
  func rows(_ keys: [(key: CacheKey, digest: ContentDigest)]) throws -> [(
    key: CacheKey, data: Data
  )] {
    try access(.reading) { state in
      try keys.compactMap { key, digest in try data(digest, &state).map { (key, $0) } }
    }
  }

  /// Reads everything in insertion order, as of one moment.
  func rows() throws -> [StorageRow] {
    try access(.reading) { try $0.allRows() }
  }

  private func data(_ digest: ContentDigest, _ state: inout State) throws -> Data? {
    let row = try state.row(digest)
    if let reason = state.index.entries[digest]?.damage ?? state.index.unreadable[digest]?.reason {
      throw damaged(digest, reason)
    }
    return row?.data
  }

  // MARK: Following

  /// Reads everything; the follower is there then.
  func rows(for follower: StorageFollower) throws -> [StorageRow] {
    watch()
    return try access(.reading) { state in
      // What a person changes meanwhile comes after it, and is told.
      let moment = state.history.newest
      let rows = try state.allRows()
      follower.cursor = moment
      return rows
    }
  }

  /// Reads what others have changed; the follower is there then.
  func changes(for follower: StorageFollower) throws -> StorageUpdate {
    try access(.reading) { state in
      let moment = state.history.newest
      let update = try state.update(since: follower.moment)
      follower.cursor = moment
      return update
    }
  }
}

extension DiskFolder.State {
  /// Reads what has changed since `moment`.
  mutating func update(since moment: DiskHistory.Moment?) throws -> StorageUpdate {
    guard let changes = history.changes(since: moment) else {
      return StorageUpdate(rows: try allRows(), isEverything: true)
    }
    var update = StorageUpdate()
    for change in changes {
      if let row = try row(change.digest) {
        update.rows.append(row)
      } else {
        update.removed.append(change.key)
      }
    }
    update.rows.sort { $0.position < $1.position }
    return update
  }

  mutating func allRows() throws -> [StorageRow] {
    var rows: [StorageRow] = []
    rows.reserveCapacity(index.entries.count)
    for (digest, _) in index.ordered() {
      if let row = try row(digest) { rows.append(row) }
    }
    return rows
  }

  /// Reads an item, whatever there is of one that is damaged; nil if it is not there.
  ///
  /// Its file may have been replaced or removed by hand since the index was read: then it is read
  /// again, and the change is told.
  mutating func row(_ digest: ContentDigest) throws -> StorageRow? {
    for _ in 0..<2 {
      guard let entry = index.entries[digest] else { return nil }
      if let file = try folder.open(DiskFileName.name(ofItem: digest)),
        let stamp = try file.stamp(), stamp == entry.stamp
      {
        let count = stamp.byteCount - entry.headerLength
        return StorageRow(
          key: entry.key, data: try file.read(count, at: entry.headerLength),
          position: entry.place)
      }
      try read(digest)
      separateTies()
    }
    return nil
  }
}
