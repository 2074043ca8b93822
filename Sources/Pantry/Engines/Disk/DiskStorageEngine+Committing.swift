internal import FoundationEssentials

/// A commit writes its items under temporary names, flushes them, and then either renames a single
/// item into place or goes through a ``DiskJournal``. Before that point a crash leaves only
/// temporary files; after it the next process that takes the lock finishes the commit.
extension DiskStorageEngine {
  /// Applies `changes`, all or nothing.
  ///
  /// - Parameters:
  ///   - basis: the rows that `changes` depend on; if others have changed them since the follower
  ///     has read, nothing is written.
  ///   - follower: gets the earlier changes of others, and is advanced past the commit.
  @discardableResult
  func apply(
    _ changes: [StorageChange], basedOn basis: StorageBasis = .nothing,
    for follower: StorageFollower? = nil
  ) throws -> StorageCommit {
    try access(forWriting: true) {
      let update = try follower.map { try self.update(for: $0) } ?? StorageUpdate()
      if update.concerns(basis) {
        advance(follower)
        return StorageCommit(update: update, positions: nil)
      }
      lastCommit += 1
      let plan = DiskPlan(
        changes, of: items, nextPosition: nextPosition, at: now().timeIntervalSince1970,
        commit: lastCommit)
      let former = plan.digests.compactMap { digest in items[digest].map { (digest, $0) } }
      if !plan.digests.isEmpty { try carryOut(plan) }
      // The follower knows of its own commit, but not that an issue has ended.
      advance(follower, except: former.filter { !$0.1.isReadable })
      return StorageCommit(update: update, positions: plan.positions)
    }
  }

  private func carryOut(_ plan: DiskPlan) throws {
    for digest in plan.writes.keys where items[digest]?.isReplaceable == false {
      throw StorageError.damagedFile(
        path: folder.path(of: DiskFileName.name(ofItem: digest)), reason: "it is not a file")
    }
    try lock.endFormerLog()
    var plan = plan
    let journal = plan.journal
    let needsJournal = plan.digests.count > 1  // renaming or removing one file is atomic
    do {
      try plan.writeTemporaryFiles(to: folder)
      if needsJournal {
        // The temporary names must be on disk before a journal that refers to them.
        try folder.flush()
        try journal.write(to: folder)
      } else {
        try journal.carryOut(in: folder)
      }
    } catch {
      // Temporary files that cannot be removed now are removed at the next opening.
      try? recover()  // see above
      throw error
    }
    do {
      try folder.flush()
    } catch {
      // A failure does not undo the renames, but a power failure might.
      isUnsure = true
      let cause = (error as? DiskError).map { "\(SystemError(code: $0.code))" } ?? "\(error)"
      throw StorageError.outcomeUnknown(reason: "flushing \(path) failed (\(cause))")
    }
    // The commit is on disk as a whole. The next call throws what keeps it from being finished.
    let isFinished = !needsJournal || (try? journal.finish(in: folder)) != nil  // see above
    guard isFinished else { return isUnsure = true }
    nextPosition = plan.nextPosition
    for digest in plan.digests { put(plan.writes[digest]?.item, digest) }
    // What has come besides was written by hand.
    isUnsure = takeChanges()?.subtracting(plan.digests).isEmpty != true
  }
}
