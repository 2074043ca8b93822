extension StoreCore {
  /// Encodes what steps change.
  func changes(of steps: [ResolvedStep<Item>]) async throws -> [StorageChange] {
    try requireNoNewer(in: steps)
    var changes: [StorageChange] = []
    for step in steps {
      switch step {
      case .add(let items): changes += try await coder.encode(items)
      case .remove(let keys): changes += keys.map { .remove(key: $0) }
      case .removeAll: changes.append(.removeAll)
      }
    }
    return changes
  }

  /// Throws if `steps` would write over, or remove, what a newer version of the program has written.
  func requireNoNewer(in steps: [ResolvedStep<Item>]) throws(StorageError) {
    guard let newest = table.newestVersion else { return }
    for step in steps {
      let isHarmless =
        switch step {
        case .add(let items): !items.contains { table.holdsNewer(identifier($0)) }
        case .remove(let keys): !keys.contains(where: table.holdsNewer)
        case .removeAll: false
        }
      guard isHarmless else {
        throw .newerModel(
          type: TypeName(Item.self).shown, version: newest, supported: definition.upgrades.count)
      }
    }
  }

  /// Commits, and brings memory to what others had written before.
  ///
  /// - Returns: the positions of new rows, empty if the engine does not tell them; nil if nothing was
  ///   written, since others have changed what is in `basis`.
  func commit(
    _ changes: [StorageChange], basedOn basis: StorageBasis
  ) async throws -> [Int?]? {
    guard let storage = storage as? any LiveStorage, let follower else {
      try await storage.commit(changes)
      return []
    }
    do {
      let commit = try await storage.commit(changes, basedOn: basis, for: follower)
      await follow(commit.update)
      return commit.positions
    } catch {
      await note(error)
      throw error
    }
  }

  /// Lets go of the bytes that the engine has stored now.
  func noteStored(_ changes: [StorageChange]) {
    guard let engine = storage as? any AttachmentStorage else { return }
    for case .write(_, _, let attachments) in changes {
      for attachment in attachments { attachment.content.didStore(in: engine) }
    }
  }

  /// What `steps` come to in memory.
  func edits(
    of steps: [ResolvedStep<Item>], positions: ArraySlice<Int?>
  ) -> [TableEdit<Item>] {
    var positions = positions
    return steps.map { step in
      switch step {
      case .add(let items):
        let entries = items.map { item in
          TableEdit.Entry(
            key: identifier(item), item: item, position: positions.popFirst() ?? nil)
        }
        return .put(entries)
      case .remove(let keys):
        positions = positions.dropFirst(keys.count)
        return .remove(keys)
      case .removeAll:
        positions = positions.dropFirst()
        return .removeAll
      }
    }
  }
}
