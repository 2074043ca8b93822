extension StoreCore {
  /// The part of a transaction that writes `changes`.
  ///
  /// - Parameter discarded: the keys of the issues that the caller asked to remove.
  func part(
    _ changes: [StorageChange], basedOn basis: ReadSet = .nothing,
    discarding discarded: Set<CacheKey> = []
  ) -> StoragePart {
    var rowGuard = rowGuard
    rowGuard.discarded = discarded
    // Of those that it may not change there is an issue.
    rowGuard.knowsAll = table.issues.isEmpty && provisional.isEmpty
    return StoragePart(
      storage: storage, changes: changes, basis: basis, follower: follower, rowGuard: rowGuard)
  }

  /// The row under `key` that exists in the storage and cannot be read, whatever is shown in its
  /// place.
  func storedIssue(_ key: CacheKey) -> LoadIssue? {
    provisional.issue(key) ?? table.issue(key)?.issue
  }

  /// The error of an operation that depends on a row that cannot be read.
  func refusal(_ issue: LoadIssue) -> StorageError {
    issue.refusal(of: rowGuard.type, supported: definition.upgrades.count)
  }

  /// Commits, and applies earlier writes of others in memory.
  ///
  /// - Returns: the positions of new rows, empty if the engine does not report them; nil if nothing
  ///   was written because others have changed rows of the part's basis.
  func commit(_ part: StoragePart) async throws -> [Int?]? {
    do {
      let commit = try await storage.commit([part])[0]
      await follow(commit.update)
      return commit.positions
    } catch {
      await note(error)
      throw error
    }
  }

  /// Returns the edits that bring memory to the written `steps`.
  func edits(
    of steps: [ResolvedStep<Item>], written changes: [StorageChange], at positions: ArraySlice<Int?>
  ) async -> [TableEdit<Item>] {
    guard changes.count > Self.limitInPlace else {
      return coder.edits(of: steps, written: changes, at: positions)
    }
    return await coder.editsOfMany(steps, written: changes, at: positions)
  }
}
