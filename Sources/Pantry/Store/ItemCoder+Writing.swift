extension ItemCoder {
  /// Encodes the changes of `steps`.
  ///
  /// - Throws: the error of the first item that cannot be encoded.
  @concurrent
  func changes(of steps: [ResolvedStep<Item>]) async throws -> [StorageChange] {
    if steps.count == 1, case .add(let items) = steps[0] { return try await encode(items) }
    var changes: [StorageChange] = []
    for step in steps {
      switch step {
      case .add(let items): changes += try await encode(items)
      case .remove(let keys): changes += keys.map { .remove(key: $0) }
      case .removeAll: changes.append(.removeAll)
      }
    }
    return changes
  }

  /// Returns the edits that bring memory to the written `steps`.
  ///
  /// Releases the bytes of attachments that the engine has stored with them.
  ///
  /// - Parameter positions: the positions of the rows of `changes`, if the engine reports them.
  func edits(
    of steps: [ResolvedStep<Item>], written changes: [StorageChange], at positions: ArraySlice<Int?>
  ) -> [TableEdit<Item>] {
    noteStored(changes)
    var positions = positions
    return steps.map { step in
      switch step {
      case .add(let items):
        let entries = items.map { item in
          TableEdit.Entry(
            key: definition.identifier(item), item: item, position: positions.popFirst() ?? nil)
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

  /// Does the same off the main actor, for many rows.
  @concurrent
  func editsOfMany(
    _ steps: [ResolvedStep<Item>], written changes: [StorageChange], at positions: ArraySlice<Int?>
  ) async -> [TableEdit<Item>] {
    edits(of: steps, written: changes, at: positions)
  }

  private func noteStored(_ changes: [StorageChange]) {
    guard let engine = storage as? any AttachmentStorage else { return }
    for case .write(_, _, let attachments) in changes {
      for attachment in attachments { attachment.content.didStore(in: engine) }
    }
  }
}
