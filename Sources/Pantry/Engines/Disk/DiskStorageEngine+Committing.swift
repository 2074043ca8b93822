internal import FoundationEssentials

/// A commit writes its items under temporary names, flushes them, and then either renames a single
/// item into place or goes through a ``DiskJournal``. Before that point an error or a crash leaves
/// only temporary files, which the next opening removes; after it the whole commit happens, if
/// necessary by the next process that takes the lock.
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
        follower?.unread = [:]
        return StorageCommit(update: update, positions: nil)
      }
      lastCommit += 1
      let plan = DiskPlan(
        changes, of: items, nextPosition: nextPosition, at: now(), commit: lastCommit)
      let hidden = plan.digests.compactMap { digest in
        items[digest].flatMap { $0.isReadable ? nil : (digest, $0) }
      }
      if !plan.digests.isEmpty { try carryOut(plan) }
      handOver(except: follower)
      follower?.unread = [:]
      // The follower knows of its own commit, but not that an issue has ended.
      for (digest, item) in hidden { note(digest, item) }
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
    // Renaming or removing one file is atomic.
    let needsJournal = plan.digests.count > 1
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
      plan.removeTemporaryFiles(from: folder)
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
    if needsJournal {
      do {
        try journal.finish(in: folder)
      } catch {
        // Not thrown: the commit is on disk as a whole. The next call throws the error that keeps
        // it from being finished, unless the error was transient.
        return isUnsure = true
      }
    }
    nextPosition = plan.nextPosition
    for digest in plan.digests {
      let written = plan.writes[digest]?.item
      if let item = items[digest] ?? written { note(digest, item) }
      put(written, digest)
    }
    // What has come besides was written by hand.
    isUnsure = watcher.take()?.subtracting(plan.digests).isEmpty != true
  }
}
