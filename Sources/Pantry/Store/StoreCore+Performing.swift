extension StoreCore {
  /// An entry of the queue.
  enum Pending {
    case operation(PendingOperation)
    case turn(StoreTurn)
  }

  struct PendingOperation {
    let steps: [Step]
    /// The resolved steps; nil if they depend on the store's content.
    let resolved: [ResolvedStep<Item>]?
    let confirms: ProvisionalItems<Item>.Token?
    let continuation: CheckedContinuation<Void, any Error>

    init(
      _ steps: [Step], confirming change: ProvisionalItems<Item>.Token?,
      _ continuation: CheckedContinuation<Void, any Error>
    ) {
      self.steps = steps
      let resolved = steps.compactMap(\.resolved)
      self.resolved = resolved.count == steps.count ? resolved : nil
      confirms = change
      self.continuation = continuation
    }
  }

  /// The next work of the queue.
  private enum Work {
    case turn(StoreTurn)
    /// Operations that are committed together.
    case writing([ResolvedOperation])
    case resolving(PendingOperation)
    /// Reading the writes of others.
    case reading
  }

  /// An operation with its resolved steps.
  private struct ResolvedOperation {
    let steps: [ResolvedStep<Item>]
    let confirms: ProvisionalItems<Item>.Token?
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// An operation whose items have been encoded.
  private struct EncodedOperation {
    let operation: ResolvedOperation
    let changes: [StorageChange]
  }

  // MARK: The queue

  /// Performs `steps` as one transaction, one change of memory and one notification.
  ///
  /// - Parameter change: the optimistic change that already shows their result.
  func perform(
    _ steps: [Step], confirming change: ProvisionalItems<Item>.Token? = nil
  ) async throws {
    let steps = steps.filter { !$0.isEmpty }
    guard !steps.isEmpty else { return }
    try await withCheckedThrowingContinuation { continuation in
      enqueue(.operation(PendingOperation(steps, confirming: change, continuation)))
    }
  }

  /// Takes a turn in the order of the operations: nothing else happens here until it ends.
  func takeTurn() -> StoreTurn {
    let turn = StoreTurn()
    enqueue(.turn(turn))
    return turn
  }

  private func enqueue(_ next: Pending) {
    pending.append(next)
    startPerforming()
  }

  /// Reads the writes of others, after the current work.
  func catchUp() {
    isBehind = true
    startPerforming()
  }

  private func startPerforming() {
    guard !isPerforming else { return }
    isPerforming = true
    Task { await performPending() }
  }

  private func performPending() async {
    assert(isPerforming, "operations are performed twice at a time")
    while let work = takeWork() {
      switch work {
      case .turn(let turn): await turn.run()
      case .writing(let batch): await perform(batch)
      case .resolving(let operation): await perform(operation)
      case .reading: await readChanges()
      }
    }
    assert(pending.isEmpty && !isBehind, "work is left in the queue")
    isPerforming = false
  }

  /// Takes the next work: all leading operations that can be committed together, or one entry.
  private func takeWork() -> Work? {
    var batch: [ResolvedOperation] = []
    while case .operation(let next) = pending.first, let steps = next.resolved,
      StepResolution.isResolved(steps, in: self)
    {
      pending.removeFirst()
      batch.append(
        ResolvedOperation(steps: steps, confirms: next.confirms, continuation: next.continuation))
    }
    guard batch.isEmpty else { return .writing(batch) }
    switch pending.first {
    case .turn(let turn):
      pending.removeFirst()
      return .turn(turn)
    case .operation(let operation):
      pending.removeFirst()
      return .resolving(operation)
    case nil: return isBehind ? .reading : nil
    }
  }

  /// Applies the writes of others in memory.
  private func readChanges() async {
    isBehind = false
    do {
      try await load()
      try await followOthers()
    } catch {
      // The follower has not advanced: the next operation, or the next change, reads them. There
      // may be neither.
      retryReading()
    }
  }

  /// Reads the writes of others again after a while, which doubles with each failure.
  ///
  /// Not while the storage cannot be reached: its return is told.
  private func retryReading() {
    guard connection == .connected, retrying == nil else { return }
    let interval = retryInterval.map { min($0 * 2, .seconds(60)) } ?? .milliseconds(64)
    retryInterval = interval
    retrying = Task { [weak self, services] in
      do { try await services.sleep(for: interval) } catch { return }
      // It may have been canceled after its sleep.
      guard let self, !Task.isCancelled else { return }
      retrying = nil
      catchUp()
    }
  }

  /// Ends the attempts to read the writes of others again.
  func endRetrying() {
    retrying?.cancel()
    retrying = nil
    retryInterval = nil
  }

  // MARK: Operations

  private func perform(_ batch: [ResolvedOperation]) async {
    do {
      try await load()
      try await requireCertainty()
    } catch {
      for operation in batch { operation.continuation.resume(throwing: error) }
      return
    }
    guard batch.count == 1 else { return await commit(encode(batch)) }
    do {
      guard let (changes, positions) = try await commitInTurn(batch[0].steps) else {
        return await commit(encode(batch))
      }
      let encoded = EncodedOperation(operation: batch[0], changes: changes)
      await finish([encoded], positions: positions)
    } catch {
      await note(error)
      batch[0].continuation.resume(throwing: error)
    }
  }

  /// Performs an operation that depends on the store's content, again if others change that content
  /// in between.
  private func perform(_ operation: PendingOperation) async {
    do {
      try await load()
      try await requireCertainty()
      try await resolveAndCommit(operation)
      operation.continuation.resume()
    } catch {
      operation.continuation.resume(throwing: error)
    }
  }

  private func resolveAndCommit(_ operation: PendingOperation) async throws {
    var backOff = ConflictBackOff(patience: conflictPatience)
    var isCertain = false
    while true {
      let resolution = try await StepResolution.resolving(operation.steps, in: self)
      defer { discard(resolution, of: resolution.basis.count) }
      let encoded = try await self.changes(
        of: resolution.steps, discarding: resolution.discarded)
      let changes = encoded.changes
      guard !changes.isEmpty else {
        // Nothing is to be written only if that holds for the items as they are on disk.
        if !isCertain, !resolution.basis.isEmpty {
          isCertain = true
          if try await hasNews() { continue }
        }
        if let confirmed = operation.confirms {
          await change(StoredChange(edits: [], confirms: confirmed))
        }
        return
      }
      defer { discard(changes, of: changes.count) }
      guard let positions = try await commit(changes, basedOn: .keys(resolution.basis)) else {
        if try await backOff.waitAfterConflict(over: Item.self) { try await followOthers() }
        continue
      }
      let edits = await edits(of: encoded.steps, written: changes, at: positions[...])
      await change(
        StoredChange(
          edits: edits, confirms: operation.confirms, transforms: resolution.transforms))
      return
    }
  }

  /// Encodes each operation; one that cannot be encoded fails alone.
  private func encode(_ batch: [ResolvedOperation]) async -> [EncodedOperation] {
    var encoded: [EncodedOperation] = []
    for operation in batch {
      do {
        let changes = try await self.changes(of: operation.steps).changes
        encoded.append(EncodedOperation(operation: operation, changes: changes))
      } catch {
        operation.continuation.resume(throwing: error)
      }
    }
    return encoded
  }

  /// Commits the pending operations in one transaction.
  ///
  /// That costs one flush to disk instead of many. If it fails, each operation is retried alone, so
  /// that one does not fail the others.
  private func commit(_ batch: [EncodedOperation]) async {
    guard !batch.isEmpty else { return }
    do {
      let changes = batch.count == 1 ? batch[0].changes : batch.flatMap(\.changes)
      let positions = try await commit(changes, basedOn: .nothing)
      await finish(batch, positions: positions)
    } catch let error where batch.count > 1 && !isUnknown(error) {
      for encoded in batch { await commit([encoded]) }
    } catch {
      for encoded in batch { encoded.operation.continuation.resume(throwing: error) }
    }
  }

  /// Whether the failed commit may still have happened: then it must not be retried.
  private func isUnknown(_ error: any Error) -> Bool {
    if case .outcomeUnknown = error as? StorageError { true } else { false }
  }

  /// Applies the committed operations in memory, and resumes the callers.
  private func finish(_ batch: [EncodedOperation], positions: [Int?]?) async {
    assert(
      positions?.isEmpty != false
        || positions?.count == batch.reduce(0) { $0 + $1.changes.count },
      "each change has a position, or none has")
    var positions = (positions ?? [])[...]
    for encoded in batch {
      let own = positions.prefix(encoded.changes.count)
      positions = positions.dropFirst(encoded.changes.count)
      let operation = encoded.operation
      let edits = await edits(of: operation.steps, written: encoded.changes, at: own)
      await change(StoredChange(edits: edits, confirms: operation.confirms))
    }
    for encoded in batch { encoded.operation.continuation.resume() }
    discard(batch, of: batch.reduce(0) { $0 + $1.changes.count })
  }
}
