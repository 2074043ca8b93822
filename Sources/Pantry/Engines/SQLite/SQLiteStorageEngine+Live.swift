internal import FoundationEssentials

extension SQLiteStorageEngine: PagedStorage {
  nonisolated func follower(_ onChange: @escaping @Sendable () -> Void) -> StorageFollower {
    let follower = StorageFollower(onChange: onChange)
    file.followers.insert(follower)
    return follower
  }

  func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    try reading(for: follower) { try $0.allRows() }
  }

  func page(
    after position: Int?, limit: Int, for follower: StorageFollower
  ) async throws -> [StorageRow]? {
    guard let position else {
      return try reading(for: follower) { try $0.page(after: .min, limit: limit) }
    }
    let session = try openSession()
    // Another file has taken the place of the one that the first pages are of.
    guard reached(by: follower) != nil else { return nil }
    return try session.page(after: Int64(position), limit: limit)
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
        file: file.writer.fileNumber, change: change, namespace: session.namespace)
      return result
    }
    file.watcher.start()
    return result
  }

  /// The change up to which a follower has read in this file; nil if it has read nothing in it.
  func reached(by follower: StorageFollower) -> Int64? {
    guard let reached = follower.reached, reached.file == file.writer.fileNumber else { return nil }
    return reached.change
  }
}
