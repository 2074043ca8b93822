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
    let (changes, commit) = try await storage.commit(
      encoding: { [coder] in try coder.changesInTurn(of: step) }, of: part([]))
    await follow(commit.update)
    if case .write(let data, _, let attachments) = changes.first {
      visible.areSmall = attachments.isEmpty && data.count <= Self.limit
    }
    return (EncodedSteps(steps: [step], changes: changes), commit.positions ?? [])
  }
}

extension StorageEngine {
  /// Encodes changes in the engine's own turn, and commits them without a basis.
  fileprivate func commit(
    encoding encode: @Sendable () throws -> [StorageChange], of part: StoragePart
  ) async throws -> (changes: [StorageChange], commit: StorageCommit) {
    var part = part
    part.changes = try encode()
    return (part.changes, try await commit([part])[0])
  }
}
