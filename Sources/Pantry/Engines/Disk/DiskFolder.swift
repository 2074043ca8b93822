internal import FoundationEssentials
internal import Synchronization

/// What the engines of this process on one directory share: its files, its index, its queue.
///
/// A commit writes its items under temporary names, flushes them, and then either renames the only
/// one into its place or goes through a ``DiskJournal``. Up to there an error or a crash leaves
/// nothing behind but temporary files, which are removed at the next opening; from there on all of
/// it happens, if need be at the next opening.
final class DiskFolder: Sendable {
  /// Up to this many files are flushed one by one; more of them with their whole file system.
  private static let mostFlushedOneByOne = 32

  /// Runs the engines: they share the index, so they take turns anyway.
  let executor = QueueExecutor(label: "pantry.disk")
  let folder: OpenFolder
  private let lock: Int32
  private let state = Mutex(State())

  private struct State {
    /// Nil until it is needed, and after an error that leaves open what is on the disk.
    var index: DiskIndex?
    var isRecovered = false
    var lastCommit = 0
  }

  /// Takes the directory for this process and finishes what a crash interrupted.
  ///
  /// - Complexity: O(n) in the number of names; no item is opened.
  init(_ folder: OpenFolder) throws {
    self.folder = folder
    lock = try folder.lock(DiskFileName.lock)
    do {
      try state.withLock { try recover(&$0) }
    } catch {
      folder.unlock(lock)
      throw error
    }
  }

  /// Lets go of the directory; nothing may be called after it.
  func close() { folder.unlock(lock) }

  // MARK: Writing

  /// Applies `changes`, all or nothing.
  func commit(_ changes: [StorageChange], at time: Date) throws {
    try state.withLock { state in
      var index = try loadedIndex(&state)
      // Were it kept, it would be copied; and an error that leaves from here may have made it void.
      state.index = nil
      var plan = index.plan(changes, at: time)
      do {
        for write in plan.writes where index.unreadable[write.digest]?.isReplaceable == false {
          throw damaged(write.digest, index.unreadable[write.digest]?.reason ?? "")
        }
        try writeTemporaryFiles(&plan, &state)
      } catch {
        state.index = index
        throw error
      }
      switch plan.count {
      case 0: break
      case 1: try carryOutDirectly(plan, &state, index)
      default: guard try carryOutByJournal(plan, &state, index) else { return }
      }
      index.carriedOut(plan)
      state.index = index
    }
  }

  private func writeTemporaryFiles(_ plan: inout DiskIndex.Plan, _ state: inout State) throws {
    state.lastCommit += 1
    let flushesEach = plan.writes.count <= Self.mostFlushedOneByOne
    do {
      for (offset, write) in plan.writes.enumerated() {
        let header = try DiskItemHeader(
          position: write.entry.position,
          created: write.entry.createdAt.timeIntervalSince1970,
          updated: write.entry.updatedAt.timeIntervalSince1970,
          bytes: write.data.count, key: write.entry.key.rawValue
        ).line()
        plan.writes[offset].entry.headerLength = header.count
        try folder.write(
          [header, write.data],
          to: DiskFileName.name(ofTemporary: write.digest, commit: state.lastCommit),
          flushing: flushesEach)
      }
      if !flushesEach { try folder.flushFileSystem() }
    } catch {
      removeTemporaryFiles(plan, state)
      throw error
    }
  }

  /// One file: renaming it, or removing it, is all or nothing by itself.
  private func carryOutDirectly(
    _ plan: DiskIndex.Plan, _ state: inout State, _ index: DiskIndex
  ) throws {
    do {
      for write in plan.writes {
        try folder.rename(
          DiskFileName.name(ofTemporary: write.digest, commit: state.lastCommit),
          to: DiskFileName.name(ofItem: write.digest))
      }
      for digest in plan.removals { try folder.remove(DiskFileName.name(ofItem: digest)) }
    } catch {
      removeTemporaryFiles(plan, state)
      state.index = index
      throw error
    }
    try flushOrForget(&state)
  }

  /// Returns false if the commit counts and could not be finished; the next call finishes it.
  private func carryOutByJournal(
    _ plan: DiskIndex.Plan, _ state: inout State, _ index: DiskIndex
  ) throws -> Bool {
    let journal = DiskJournal(
      commit: state.lastCommit, write: plan.writes.map(\.digest), remove: plan.removals)
    do {
      // The temporary names must be on the disk before a journal that speaks of them.
      try folder.flush()
      try journal.write(to: folder)
    } catch {
      removeTemporaryFiles(plan, state)
      state.index = index
      throw error
    }
    try flushOrForget(&state)
    do {
      try journal.apply(to: folder)
      return true
    } catch {
      // Not thrown: it is on the disk as a whole. What keeps it from being finished will be thrown
      // by the next call, unless it has passed.
      state.isRecovered = false
      return false
    }
  }

  /// Flushes the names; if that fails, only the disk knows what is on it, and it is asked again.
  private func flushOrForget(_ state: inout State) throws {
    do {
      try folder.flush()
    } catch {
      state.isRecovered = false
      throw error
    }
  }

  private func removeTemporaryFiles(_ plan: DiskIndex.Plan, _ state: State) {
    for write in plan.writes {
      // What cannot be removed now is removed at the next opening.
      try? folder.remove(DiskFileName.name(ofTemporary: write.digest, commit: state.lastCommit))
    }
  }

  // MARK: Reading

  /// Gives `body` the index, reading it from the files first if need be.
  func withIndex<Result: Sendable>(_ body: (DiskIndex) throws -> Result) throws -> Result {
    try state.withLock { try body(loadedIndex(&$0)) }
  }

  /// Reads the data of an item.
  ///
  /// - Parameter whatever: gives what there is of an item whose length is wrong.
  func data(_ entry: DiskIndex.Entry, _ digest: ContentDigest, whatever: Bool = false) throws
    -> Data
  {
    if let damage = entry.damage, !whatever { throw damaged(digest, damage) }
    guard let file = try folder.open(DiskFileName.name(ofItem: digest)),
      let byteCount = try file.byteCount()
    else {
      throw damaged(digest, "it has gone")
    }
    let dataCount = byteCount - entry.headerLength
    guard dataCount == entry.byteCount || whatever && dataCount >= 0 else {
      throw damaged(
        digest, DiskIndex.wrongLength(dataCount, expected: entry.byteCount))
    }
    return try file.read(dataCount, at: entry.headerLength)
  }

  /// The error that names the file for the key with this digest.
  func damaged(_ digest: ContentDigest, _ reason: String) -> StorageError {
    .damagedFile(path: folder.path(of: DiskFileName.name(ofItem: digest)), reason: reason)
  }

  // MARK: Opening

  /// Finishes a commit that a crash interrupted and removes what others left.
  private func recover(_ state: inout State) throws {
    try DiskJournal.read(from: folder)?.apply(to: folder)
    for name in try folder.names()
    where name.hasSuffix(".new") && DiskFileName(name) == .temporary {
      do {
        try folder.remove(name)
      } catch let error as DiskError where error.isDirectory {
        continue  // not one of ours
      }
    }
    // From here on no journal and no temporary file of the past can come back.
    try folder.flush()
    state.isRecovered = true
  }

  private func loadedIndex(_ state: inout State) throws -> DiskIndex {
    if let index = state.index { return index }
    if !state.isRecovered { try recover(&state) }
    let index = try DiskIndex(reading: folder)
    state.index = index
    return index
  }
}
