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
    rowGuard.knowsAll = visible.table.issues.isEmpty && visible.provisional.isEmpty
    return StoragePart(
      storage: storage, changes: changes, basis: basis, follower: follower, rowGuard: rowGuard)
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
    guard changes.count > VisibleItems<Item>.limitInPlace else {
      return coder.edits(of: steps, written: changes, at: positions)
    }
    return await coder.editsOfMany(steps, written: changes, at: positions)
  }
}
