extension StoreCore {
  /// Encodes the changes of `steps`, without replacements that have the same bytes.
  ///
  /// - Parameter discarded: the keys of the issues that the caller asked to remove.
  func changes(
    of steps: [ResolvedStep<Item>], discarding discarded: Set<CacheKey> = []
  ) async throws -> EncodedSteps<Item> {
    try requireNoNewer(in: steps, except: discarded)
    return try await coder.changes(of: steps)
  }

  /// Throws if `steps` would overwrite or remove a row of a newer version of the program.
  func requireNoNewer(
    in steps: [ResolvedStep<Item>], except discarded: Set<CacheKey> = []
  ) throws(StorageError) {
    guard let newest = table.newestVersion else { return }
    guard !steps.contains(where: { changesNewer($0, except: discarded) }) else {
      throw .newerModel(
        type: TypeName(Item.self).shown, version: newest, supported: definition.upgrades.count)
    }
  }

  private func changesNewer(_ step: ResolvedStep<Item>, except discarded: Set<CacheKey>) -> Bool {
    switch step {
    case .add(let items), .replace(let items, _):
      items.contains { table.holdsNewer(identifier($0)) }
    case .remove(let keys):
      keys.contains { table.holdsNewer($0) && !discarded.contains($0) }
    // All rows are items.
    case .removeAll: false
    }
  }

  /// Commits, and applies earlier writes of others in memory.
  ///
  /// - Returns: the positions of new rows, empty if the engine does not report them; nil if nothing
  ///   was written because others have changed rows of `basis`.
  func commit(
    _ changes: [StorageChange], basedOn basis: ReadSet
  ) async throws -> [Int?]? {
    do {
      let commit = try await storage.commit(changes, basedOn: basis, for: follower)
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
