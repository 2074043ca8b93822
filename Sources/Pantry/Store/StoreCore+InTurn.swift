internal import FoundationEssentials

extension StoreCore {
  /// The largest row, in bytes, whose item is encoded in the engine's turn.
  private static var limit: Int { 65_536 }

  /// Whether an operation adds a single item or removes one, which takes one turn of the engine.
  ///
  /// Not if the items have been large: others would wait for the engine while one is encoded.
  func runsInTurn(_ operation: QueuedOperation<Item>) -> Bool {
    // Other engines need the bytes of attachments first.
    guard operation.steps.count == 1, storage.liveAttachments != nil else { return false }
    switch operation.steps[0].resolved {
    // An own format may have to read attachments first.
    case .add(let items): return visible.areSmall && items.count == 1 && definition.coding == nil
    case .remove(let keys): return keys.count == 1
    case .replace, .removeAll, nil: return false
    }
  }

  /// Whether the caller performs its operation in its own task.
  ///
  /// Not with a low priority, since others would wait for it.
  func isPerformedByCaller(_ operation: QueuedOperation<Item>) -> Bool {
    runsInTurn(operation) && Task.currentPriority >= .medium && storage.ignoresCancellation
  }

  /// Adds a single item or removes one in one turn of the engine, which saves a change of threads.
  func commitInTurn(
    _ step: ResolvedStep<Item>
  ) async throws -> (encoded: EncodedSteps<Item>, positions: [Int?]) {
    let revision = visible.revision
    var former: Item?
    if case .add(let items) = step { former = visible.table.item(visible.identifier(items[0])) }
    var (encoded, commit) = try await storage.commit(
      encoding: { [coder, former] in try coder.changesInTurn(of: step, over: former) },
      of: part([]))
    await follow(commit.update)
    if case .write(let data, _, let attachments) = encoded.changes.first {
      visible.areSmall = attachments.isEmpty && data.count <= Self.limit
    }
    // Another item may have come in between.
    if visible.revision != revision { encoded.unchanged = nil }
    return (encoded, commit.positions ?? [])
  }
}

extension StorageEngine {
  /// Encodes changes in the engine's own turn, and commits them without a basis.
  fileprivate func commit<Item>(
    encoding encode: @Sendable () throws -> EncodedSteps<Item>, of part: StoragePart
  ) async throws -> (encoded: EncodedSteps<Item>, commit: StorageCommit) {
    let encoded = try encode()
    var part = part
    part.changes = encoded.changes
    return (encoded, try await commit([part])[0])
  }
}
