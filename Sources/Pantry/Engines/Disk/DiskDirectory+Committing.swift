internal import FoundationEssentials

/// A commit writes its items under temporary names, flushes them, and then either renames a single
/// item into place or goes through a ``DiskJournal``. Before that point a crash leaves only
/// temporary files; after it, the next opening finishes the commit.
extension DiskDirectory {
  /// Applies the changes of `part`, all or nothing, unless others have changed its basis.
  ///
  /// - Parameter seconds: the time, since 1970.
  func commit(_ part: StoragePart, at seconds: Double) throws -> StorageCommit {
    let follower = part.follower
    let update = try self.update(for: follower, basedOn: part.basis)
    if update.concerns(part.basis) {
      follower.cursor = Set<CacheKey>()
      return StorageCommit(update: update, positions: nil)
    }
    // A damaged row is replaced; an error that may affect every file ends the commit.
    try part.admitChanges(after: update, all: allRows) { try row(Self.digest($0))?.data }
    lastCommit += 1
    let plan = DiskPlan(
      part.changes, of: items, nextPosition: nextPosition, at: seconds, commit: lastCommit)
    let former = plan.digests.compactMap { items[$0] }
    if !plan.digests.isEmpty { try carryOut(plan) }
    // The follower knows of its own commit, but not that an issue has ended.
    let ended = Set(former.filter { !$0.isReadable }.map(\.key))
    if follower.cursor != nil || !part.basis.isNothing { follower.cursor = ended }
    if !ended.isEmpty { follower.tell() }
    followers.note(
      ended.union(former.map(\.key)).union(plan.writes.values.map(\.item.key)), by: follower)
    return StorageCommit(update: update, positions: plan.positions)
  }

  private func carryOut(_ plan: DiskPlan) throws {
    for digest in plan.writes.keys where items[digest]?.isReplaceable == false {
      throw StorageError.damagedFile(
        path: folder.path(of: DiskFileName.name(ofItem: digest)), reason: "it is not a file")
    }
    let journal = plan.journal
    let needsJournal = plan.digests.count > 1  // renaming or removing one file is atomic
    // After an error the next call reads what there is.
    isLoaded = false
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
      // Temporary files that cannot be removed now are removed by the next call.
      try? recover()
      throw error
    }
    do {
      try folder.flush()
    } catch {
      // A failure does not undo the renames, but a power failure might.
      for follower in followers.all {
        follower.cursor = nil
        follower.tell()
      }
      let cause = (error as? FileError).map { "\(SystemError(code: $0.code))" } ?? "\(error)"
      throw StorageError.outcomeUnknown(reason: "flushing \(folder.path) failed (\(cause))")
    }
    // The commit is on disk as a whole. The next call throws what keeps it from being finished.
    guard !needsJournal || (try? journal.finish(in: folder)) != nil else { return }
    nextPosition = plan.nextPosition
    for digest in plan.digests { items[digest] = plan.writes[digest]?.item }
    isLoaded = true
  }

  /// Reads what a follower has not read.
  func update(
    for follower: StorageFollower, basedOn basis: ReadSet = .everything
  ) throws -> StorageUpdate {
    try StorageUpdate(for: follower, basedOn: basis, all: allRows) { try row(Self.digest($0)) }
  }
}
