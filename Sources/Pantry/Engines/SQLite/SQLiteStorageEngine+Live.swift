internal import FoundationEssentials

extension SQLiteStorageEngine: FoldingStorage {
  nonisolated func follower(_ onChange: @escaping @Sendable () -> Void) -> StorageFollower {
    let follower = StorageFollower(onChange: onChange)
    file.followers.insert(follower)
    return follower
  }

  func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    try reading(for: follower) { try $0.allRows() }
  }

  func foldRows<Result: Sendable>(
    into initial: Result, batchSize: Int, for follower: StorageFollower,
    _ body: @Sendable (inout Result, [StorageRow]) -> Void
  ) async throws -> Result {
    try reading(for: follower) { session in
      var result = initial
      try session.forEachBatch(of: batchSize) { body(&result, $0) }
      return result
    }
  }

  func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    try reading(for: follower) { try $0.update(since: reached(by: follower)) }
  }

  func commit(
    _ changes: [StorageChange], basedOn basis: StorageBasis, for follower: StorageFollower
  ) async throws -> StorageCommit {
    let part = StoragePart(storage: self, changes: changes, basis: basis, follower: follower)
    return try await commit([part])[0]
  }

  /// Reads on one snapshot, at which the follower is then.
  private func reading<Result>(
    for follower: StorageFollower, _ body: (SQLiteSession) throws -> Result
  ) throws -> Result {
    let session = try openSession()
    let result = try session.reading {
      let result = try body(session)
      let change = try session.newestChange()
      follower.reached = StorageFollower.Moment(
        file: fileNumber, change: change, namespace: session.namespace)
      return result
    }
    file.watcher.start()
    return result
  }

  /// The change up to which a follower has read in this file; nil if it has read nothing in it.
  func reached(by follower: StorageFollower) -> Int64? {
    guard let reached = follower.reached, reached.file == fileNumber else { return nil }
    return reached.change
  }
}
