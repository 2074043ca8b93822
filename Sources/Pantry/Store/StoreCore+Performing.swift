extension StoreCore {
  private struct EncodedOperation {
    let operation: QueuedOperation<Item>
    let resolution: StepResolution<Item>
    let encoded: EncodedSteps<Item>
  }

  // MARK: The queue

  /// Performs `steps` as one transaction, one change of memory and one notification.
  ///
  /// The queue is worked off by one task at a time: the caller's own if it comes first and its
  /// operation runs in the engine's turn, otherwise a task of the queue. A continuation always
  /// resumes through another thread, which costs more than such an operation itself.
  ///
  /// - Parameter change: the optimistic change that already shows their result.
  /// - Returns: the item as the last update leaves it; nil if there is none.
  @discardableResult
  func perform(
    _ steps: [StoreStep<Item>], confirming change: ProvisionalItems<Item>.Token? = nil
  ) async throws -> Item? {
    let steps = steps.filter { !$0.isEmpty }
    guard !steps.isEmpty else { return nil }
    let operation = QueuedOperation(steps, confirming: change)
    queue.append(operation)
    if !isPerforming, isPerformedByCaller(operation) {
      isPerforming = true
      if let work = queue.takeWork() { await perform(work) }
      isPerforming = false
      if !queue.isEmpty { startPerforming() }
    } else {
      startPerforming()
    }
    return try await operation.hasEnded()
  }

  /// Takes a turn in the order of the operations: nothing else happens here until it ends.
  func takeTurn() -> StoreTurn {
    let turn = StoreTurn()
    queue.append(turn)
    startPerforming()
    return turn
  }

  /// Reads the writes of others, after the current work.
  func catchUp() {
    queue.isBehind = true
    startPerforming()
  }

  private func startPerforming() {
    guard !isPerforming else { return }
    isPerforming = true
    // Not of the first caller's priority, which may be low.
    Task(priority: .userInitiated) {
      while let work = queue.takeWork() { await perform(work) }
      assert(queue.isEmpty, "work is left in the queue")
      isPerforming = false
    }
  }

  private func perform(_ work: StoreQueue<Item>.Work) async {
    assert(isPerforming, "work is done outside the queue")
    switch work {
    case .turn(let turn): await turn.run()
    case .writing(let batch): await perform(batch)
    case .reading: await readChanges()
    }
  }

  private func readChanges() async {
    do {
      try await load()
      try await followOthers()
    } catch {
      // The follower has not advanced: the next operation, or the next change, reads them. There
      // may be neither. While the storage cannot be reached, its return is told.
      if connection == .connected { retry.begin { [weak self] in self?.catchUp() } }
    }
  }

  // MARK: Operations

  private func perform(_ batch: [QueuedOperation<Item>]) async {
    do {
      try await load()
      try await requireCertainty()
    } catch {
      for operation in batch { operation.end(.failure(error)) }
      return
    }
    if batch.count == 1, await performInTurn(batch[0]) { return }
    await commit(batch)
  }

  /// Performs the operation in one turn of the engine; returns false if it cannot be.
  private func performInTurn(_ operation: QueuedOperation<Item>) async -> Bool {
    guard runsInTurn(operation), let step = operation.steps[0].resolved else { return false }
    do {
      let (encoded, positions) = try await commitInTurn(step)
      await finish(operation, encoded, positions: positions[...])
      operation.end(.success(nil))
    } catch {
      await note(error)
      operation.end(.failure(error))
    }
    return true
  }

  /// Commits operations in one transaction, again if others change what they depend on in between.
  ///
  /// That costs one flush to disk instead of many. If it fails, each operation is retried alone, so
  /// that one does not fail the others.
  private func commit(_ batch: [QueuedOperation<Item>]) async {
    var batch = batch
    var backOff = ConflictBackOff(patience: conflictPatience)
    do {
      while true {
        guard let operations = await encode(&batch) else { continue }
        guard !operations.isEmpty else { return }
        defer { discard(operations, of: operations.reduce(0) { $0 + $1.encoded.changes.count }) }
        let changes =
          operations.count == 1
          ? operations[0].encoded.changes : operations.flatMap(\.encoded.changes)
        let basis = ReadSet(joining: operations.lazy.map(\.resolution.basis))
        var positions: [Int?] = []
        // Without changes the basis is compared: they may be due to the items as they are on disk.
        if !changes.isEmpty || !basis.isNothing {
          let discarded = operations.reduce(into: Set()) { $0.formUnion($1.resolution.discarded) }
          guard
            let committed = try await commit(part(changes, basedOn: basis, discarding: discarded))
          else {
            if try await backOff.waitAfterConflict(over: Item.self) { try await followOthers() }
            continue
          }
          positions = committed
        }
        return await finish(operations, written: changes, positions: positions)
      }
    } catch let error where batch.count > 1 && !StorageError.isOutcomeUnknown(error) {
      for operation in batch { await commit([operation]) }
    } catch {
      for operation in batch { operation.end(.failure(error)) }
    }
  }

  /// Resolves and encodes operations, each on top of those before it.
  ///
  /// One for which that fails ends with the error, and leaves the batch.
  ///
  /// - Returns: nil if others have been resolved on top of one that cannot be encoded.
  private func encode(_ batch: inout [QueuedOperation<Item>]) async -> [EncodedOperation]? {
    var earlier: StepResolution<Item>.Overlay?
    if batch.count > 1, batch.contains(where: { $0.steps.contains { $0.resolved == nil } }) {
      earlier = StepResolution<Item>.Overlay()
    }
    var resolutions: [Result<StepResolution<Item>, any Error>] = []
    for operation in batch {
      do {
        let resolution = try await StepResolution.resolving(
          operation.steps, in: visible, after: earlier)
        earlier?.add(resolution)
        resolutions.append(.success(resolution))
      } catch {
        resolutions.append(.failure(error))
      }
    }
    let steps = resolutions.compactMap { try? $0.get().steps }  // the others end below
    var encoded = await coder.changes(ofEach: steps)[...]
    var operations: [EncodedOperation] = []
    for (index, operation) in batch.enumerated() {
      do {
        let resolution = try resolutions[index].get()
        guard let encoded = try encoded.popFirst()?.get() else { break }
        operations.append(
          EncodedOperation(operation: operation, resolution: resolution, encoded: encoded))
      } catch {
        operation.end(.failure(error))
        if earlier != nil, case .success = resolutions[index], index + 1 < batch.count {
          batch = operations.map(\.operation) + batch[(index + 1)...]
          return nil
        }
      }
    }
    batch = operations.map(\.operation)
    return operations
  }

  /// Applies the committed operations in memory, and resumes the callers.
  private func finish(
    _ operations: [EncodedOperation], written changes: [StorageChange], positions: [Int?]
  ) async {
    assert(
      positions.isEmpty || positions.count == changes.count,
      "each change has a position, or none has")
    if let items = itemsOfOneChange(operations, changes.count) {
      await visible.change(
        StoredChange(
          edits: coder.edits(of: [.add(items)], written: changes, at: positions[...]),
          unchanged: operations.allSatisfy { $0.encoded.unchanged == [] } ? [] : nil))
    } else {
      var positions = positions[...]
      for next in operations {
        let own = positions.prefix(next.encoded.changes.count)
        positions = positions.dropFirst(own.count)
        await finish(
          next.operation, next.encoded, positions: own, transforms: next.resolution.transforms)
      }
    }
    for next in operations { next.operation.end(.success(next.resolution.updated)) }
  }

  /// The items that many operations have written, if these can be one change of memory: nobody gets
  /// an event for each, and nothing comes in between.
  ///
  /// One for each would take longer than to encode them.
  private func itemsOfOneChange(_ operations: [EncodedOperation], _ count: Int) -> [Item]? {
    guard operations.count > 1, 1...VisibleItems<Item>.limitInPlace ~= count,
      !visible.isSubscribed, visible.provisional.isEmpty, visible.table.hasRoom(for: count),
      operations.allSatisfy({ $0.encoded.unchanged == [] })
        || operations.allSatisfy(\.resolution.transforms.isEmpty)
    else { return nil }
    var items: [Item] = []
    for operation in operations {
      for case .add(let added) in operation.encoded.steps { items += added }
    }
    // Not if some were removed.
    return items.count == count ? items : nil
  }

  /// Applies a committed operation in memory.
  private func finish(
    _ operation: QueuedOperation<Item>, _ encoded: EncodedSteps<Item>, positions: ArraySlice<Int?>,
    transforms: [CacheKey: [ProvisionalItems<Item>.Transform]] = [:]
  ) async {
    // Nothing was written that memory would have to show.
    guard !encoded.changes.isEmpty || operation.confirms != nil else { return }
    let edits = await edits(of: encoded.steps, written: encoded.changes, at: positions)
    await visible.change(
      StoredChange(
        edits: edits, confirms: operation.confirms, transforms: transforms,
        unchanged: encoded.unchanged))
  }
}
