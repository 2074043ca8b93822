internal import FoundationEssentials

extension DiskFolder {
  /// Runs `body` with the current index of the directory.
  func withIndex<Result: Sendable>(_ body: (DiskIndex) throws -> Result) throws -> Result {
    try access(.reading) { try body($0.index) }
  }

  /// Reads the data of the key with this digest, or nil.
  ///
  /// - Throws: ``StorageError/damagedFile(path:reason:)`` if the content of its file is not what
  ///   was written.
  func data(_ digest: ContentDigest) throws -> Data? {
    try access(.reading) { try data(digest, &$0) }
  }

  /// Reads the rows of the existing ones of `keys`, as of one moment.
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

  /// Reads all items, and advances the follower.
  func rows(for follower: StorageFollower) throws -> [StorageRow] {
    watch()
    return try access(.reading) { state in
      // Changes by hand during the read come after it, and are reported.
      let moment = state.history.newest
      let rows = try state.allRows()
      follower.cursor = moment
      return rows
    }
  }

  /// Reads the changes of others, and advances the follower.
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
  /// Reads the changes since `moment`.
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

  /// Reads an item, including the remains of a damaged one; nil if it is absent.
  ///
  /// Its file may have been replaced or removed by hand since the index was read: then it is read
  /// again, and the change is reported.
  mutating func row(_ digest: ContentDigest) throws -> StorageRow? {
    for _ in 0..<2 {
      guard let entry = index.entries[digest] else { return nil }
      if let file = try folder.open(DiskFileName.name(ofItem: digest)),
        let stamp = try file.stamp(), stamp.resembles(entry.stamp)
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
