internal import FoundationEssentials

/// A commit writes its items under temporary names, flushes them, and then either renames a single
/// item into place or goes through a ``DiskJournal``. Before that point an error or a crash leaves
/// only temporary files, which the next opening removes; after it the whole commit happens, if
/// necessary by the next process that takes the lock.
extension DiskFolder {
  /// Up to this many files are flushed one by one; more are flushed with their whole file system.
  private static let maxIndividualFlushes = 32

  /// Applies `changes`, all or nothing.
  ///
  /// - Parameters:
  ///   - basis: the rows that `changes` depend on; if others have changed them since the follower's
  ///     cursor, nothing is written.
  ///   - follower: gets the earlier changes of others, and is advanced past the commit.
  @discardableResult
  func commit(
    _ changes: [StorageChange], at time: Date, basedOn basis: StorageBasis = .nothing,
    for follower: StorageFollower? = nil
  ) throws -> StorageCommit {
    try access(.writing) { state in
      let before = state.history.newest
      let update = try follower.map { try state.update(since: $0.moment) } ?? StorageUpdate()
      if update.concerns(basis) {
        follower?.cursor = before
        return StorageCommit(update: update, positions: nil)
      }
      let isNewest = state.history.newest == before
      let positions = try carryOut(changes, at: time, &state)
      let movesOthers = state.separateTies()
      // Changes by hand in this moment, and moved items, are still to be read.
      follower?.cursor = isNewest && !movesOthers ? state.history.newest : before
      return StorageCommit(update: update, positions: positions)
    }
  }

  /// Carries out `plan`; returns the positions of the inserted items.
  private func carryOut(
    _ changes: [StorageChange], at time: Date, _ state: inout State
  ) throws -> [Int?] {
    var plan = state.index.plan(changes, at: time)
    for write in plan.writes {
      if let file = state.index.unreadable[write.digest], !file.isReplaceable {
        throw damaged(write.digest, file.reason)
      }
    }
    guard plan.count > 0 else { return plan.positions }
    guard let lockFile = state.lock.file else { throw StorageError.readOnly(path: path) }
    do {
      try writeTemporaryFiles(&plan, &state)
      // Before any change, so that other processes check the items however this ends.
      try state.log.add(
        plan.writes.map(\.digest) + plan.removals, nextPosition: plan.nextPosition,
        to: lockFile)
    } catch {
      removeTemporaryFiles(plan, state)
      throw error
    }
    if plan.count == 1 {
      try carryOutDirectly(plan, &state)
    } else if try !carryOutByJournal(plan, &state) {
      return plan.positions
    }
    note(plan, &state)
    state.noteNames()
    return plan.positions
  }

  /// Records that `plan` has been carried out.
  private func note(_ plan: DiskIndex.Plan, _ state: inout State) {
    for digest in plan.removals { state.noteChange(digest) }
    state.index.carriedOut(plan)
    for write in plan.writes { state.noteChange(write.digest) }
  }

  private func writeTemporaryFiles(_ plan: inout DiskIndex.Plan, _ state: inout State) throws {
    state.lastCommit += 1
    let flushesEach = plan.writes.count <= Self.maxIndividualFlushes
    for (offset, write) in plan.writes.enumerated() {
      let header = try DiskItemHeader(
        position: write.entry.position,
        created: write.entry.createdAt.timeIntervalSince1970,
        updated: write.entry.updatedAt.timeIntervalSince1970,
        bytes: write.data.count, key: write.entry.key.rawValue
      ).line()
      plan.writes[offset].entry.headerLength = header.count
      plan.writes[offset].entry.stamp = try state.folder.write(
        [header, write.data],
        to: DiskFileName.name(ofTemporary: write.digest, commit: state.lastCommit),
        flushing: flushesEach)
    }
    if !flushesEach { try state.folder.flushFileSystem() }
  }

  /// Carries out a plan of one file, whose renaming or removal is atomic.
  private func carryOutDirectly(_ plan: DiskIndex.Plan, _ state: inout State) throws {
    do {
      for write in plan.writes {
        try state.folder.rename(
          DiskFileName.name(ofTemporary: write.digest, commit: state.lastCommit),
          to: DiskFileName.name(ofItem: write.digest))
      }
      for digest in plan.removals { try state.folder.remove(DiskFileName.name(ofItem: digest)) }
    } catch {
      removeTemporaryFiles(plan, state)
      throw error
    }
    try flushOrInvalidate(&state)
  }

  /// Returns false if the commit is durable but unfinished; the next call finishes it.
  private func carryOutByJournal(_ plan: DiskIndex.Plan, _ state: inout State) throws -> Bool {
    let journal = DiskJournal(
      commit: state.lastCommit, write: plan.writes.map(\.digest), remove: plan.removals)
    do {
      // The temporary names must be on disk before a journal that refers to them.
      try state.folder.flush()
      try journal.write(to: state.folder)
    } catch {
      removeTemporaryFiles(plan, state)
      throw error
    }
    try flushOrInvalidate(&state)
    do {
      try journal.apply(to: state.folder)
      return true
    } catch {
      // Not thrown: the commit is on disk as a whole. The next call throws the error that keeps it
      // from being finished, unless the error was transient.
      invalidate(&state)
      return false
    }
  }

  /// Flushes the directory after a rename or a removal, which a failure does not undo.
  ///
  /// - Throws: ``StorageError/outcomeUnknown(reason:)``: the state after a power failure is
  ///   unknown, and the next call reads the directory again.
  private func flushOrInvalidate(_ state: inout State) throws {
    do {
      try state.folder.flush()
    } catch {
      invalidate(&state)
      let cause = (error as? DiskError).map { "\(SystemError(code: $0.code))" } ?? "\(error)"
      throw StorageError.outcomeUnknown(reason: "flushing \(path) failed (\(cause))")
    }
  }

  private func invalidate(_ state: inout State) {
    state.isRecovered = false
    state.isUnsure = true
  }

  private func removeTemporaryFiles(_ plan: DiskIndex.Plan, _ state: State) {
    for write in plan.writes {
      // Files that cannot be removed now are removed at the next opening.
      let name = DiskFileName.name(ofTemporary: write.digest, commit: state.lastCommit)
      try? state.folder.remove(name)  // see above
    }
  }
}
