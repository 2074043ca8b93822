internal import FoundationEssentials
internal import Glibc
internal import Locking

/// The files, index and queue of a directory, shared by the engines of this process.
///
/// Other processes use the directory at the same time. Each read or write takes the lock, finishes
/// a commit that a dead process has left, and reads the changes of others.
final class DiskFolder: Sendable {
  /// The executor of the engines: they share the index, so they take turns anyway.
  let executor = QueueExecutor(label: "pantry.disk")
  let path: String
  let isReadOnly: Bool
  let followers = StorageFollowers()
  private let watcher: DiskWatcher
  private let patience: Duration
  private let state: Lock<State>

  struct State {
    var folder: OpenFolder
    var lock: DiskLock
    var log = DiskChangeLog()
    var index = DiskIndex()
    var history = DiskHistory()
    var isRecovered = false
    /// Whether the index may be wrong without any notice of it.
    var isUnsure = true
    /// The number in the names of temporary files, unique for each commit of any process.
    var lastCommit = Int.random(in: 0..<1 << 48)
    /// The events in the directory whose items have not been read yet.
    fileprivate var events = DiskWatcher.Events()
    /// The stamp of the directory when its names were last read or written.
    fileprivate var names: FileStamp?
    fileprivate var nextComparison: ContinuousClock.Instant?
    /// The moment that the followers were notified of.
    fileprivate var notified: DiskHistory.Moment?
    /// Whether a follower may have been notified but failed to read.
    fileprivate var hasFailed = false
  }

  /// Opens the directory and finishes an interrupted commit, unless another process has the lock.
  ///
  /// - Parameters:
  ///   - patience: the timeout for a lock held by another process.
  ///   - polls: whether to poll twice a second, as for a directory that cannot be watched.
  /// - Complexity: O(n) in the number of names; no item is opened.
  init(_ folder: OpenFolder, patience: Duration = .seconds(5), polls: Bool = false) throws {
    var state = State(folder: folder, lock: try DiskLock(folder))
    path = folder.path
    isReadOnly = folder.isReadOnly
    self.patience = patience
    watcher = DiskWatcher(folder.path, polls: polls)
    do {
      try state.lock.take(folder.isWritable ? .writing : .reading, patience: .zero)
      defer { state.lock.release() }
      try Self.recover(&state)
    } catch StorageError.inUse {
      // The caller may be the main actor, which does not wait: the first call recovers.
    }
    self.state = Lock(state)
  }

  /// The error for a damaged file of the key with this digest.
  func damaged(_ digest: ContentDigest, _ reason: String) -> StorageError {
    .damagedFile(path: path(of: digest), reason: reason)
  }

  /// The path of the file of the key with this digest.
  func path(of digest: ContentDigest) -> String {
    (path.hasSuffix("/") ? path : path + "/") + DiskFileName.name(ofItem: digest)
  }

  // MARK: Access

  /// Runs `body` under the lock, with the current index of the directory.
  ///
  /// - Throws: ``StorageError/readOnly(path:)`` for writing if the directory is read-only.
  func access<Result: Sendable>(
    _ access: LockFile.Access, _ body: (inout State) throws -> Result
  ) throws -> Result {
    defer { notifyFollowers() }
    do {
      return try state.withLock { state in
        try followDirectory(&state)
        if access == .writing, !state.folder.isWritable { throw StorageError.readOnly(path: path) }
        try state.lock.take(access, patience: patience)
        defer { state.lock.release() }
        try recoverIfNeeded(&state, access)
        try catchUp(&state)
        let result = try body(&state)
        if state.hasFailed {
          state.hasFailed = false
          state.notified = nil
        }
        return result
      }
    } catch {
      state.withLock { $0.hasFailed = true }
      if Self.isTransient(error) { watcher.retryLater() }
      throw error
    }
  }

  /// Starts watching the directory; followers are notified from now on.
  func watch() {
    watcher.start { [weak self] in
      guard let self else { return }
      executor.queue.async { self.check() }
    }
  }

  private func check() {
    watcher.checkBegins()
    // The error is thrown to the next caller that reads; the check is repeated after the next
    // change, or soon.
    try? access(.reading) { _ in }  // see above
  }

  /// Whether an error may go away soon without a change of the directory.
  private static func isTransient(_ error: any Error) -> Bool {
    switch error {
    case StorageError.inUse, StorageError.outcomeUnknown: true
    default: error is DiskError
    }
  }

  private func notifyFollowers() {
    let newest: DiskHistory.Moment? = state.withLock { state in
      let newest = state.history.newest
      if state.history.count > 0 {
        state.history.forget(before: followers.all.compactMap(\.moment))
      }
      guard state.notified != newest else { return nil }
      state.notified = newest
      return newest
    }
    guard let newest else { return }
    for follower in followers.all {
      // Followers that have read nothing yet will read all.
      if let moment = follower.moment, moment != newest { follower.tell() }
    }
  }

  /// Switches to the directory at the path, if it was replaced.
  private func followDirectory(_ state: inout State) throws {
    guard let identity = FileIdentity(path: path) else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR else {
        throw DiskError(operation: .open, path: path, code: code)
      }
      throw StorageError.fileIsGone(path: path)
    }
    guard identity != state.folder.identity else { return }
    let former = state.folder.identity
    let folder = try state.folder.reopened()
    state.lock = try DiskLock(folder)
    state.folder = folder
    state.log = DiskChangeLog()
    state.index = DiskIndex()
    state.history.startOver()
    state.isRecovered = false
    state.isUnsure = true
    moved(from: former, to: folder.identity)
  }

  // MARK: Recovery

  /// Finishes a commit of a dead process: a living one would hold the lock.
  private func recoverIfNeeded(_ state: inout State, _ access: LockFile.Access) throws {
    func isNeeded() throws -> Bool {
      try !state.isRecovered || state.folder.identity(of: DiskFileName.journal) != nil
    }
    guard try isNeeded() else { return }
    if access == .reading, state.folder.isWritable {
      state.lock.release()
      try state.lock.take(.writing, patience: patience)
      guard try isNeeded() else { return }
    }
    try Self.recover(&state)
  }

  /// Finishes an interrupted commit and removes leftover files; needs the lock.
  private static func recover(_ state: inout State) throws {
    let folder = state.folder
    guard folder.isWritable else {
      // Temporary files are harmless; half of a commit is not.
      guard try folder.identity(of: DiskFileName.journal) == nil else {
        throw StorageError.needsWriting(
          path: folder.path, reason: "an interrupted commit must be finished first")
      }
      state.isRecovered = true
      return
    }
    if let journal = try DiskJournal.read(from: folder) {
      state.isUnsure = true
      try journal.apply(to: folder)
    }
    for name in try folder.names()
    where name.hasSuffix(".new") && DiskFileName(name) == .temporary {
      do {
        try folder.remove(name)
      } catch let error as DiskError where error.isDirectory {
        continue  // not one of ours
      }
    }
    // From here on no old journal or temporary file can come back.
    try folder.flush()
    if let file = state.lock.file {
      // On a full disk there is no log, and each call compares all the files.
      try? state.log.beginIfNeeded(file)  // see above
    }
    state.isRecovered = true
  }

  // MARK: Catching up

  /// Updates the index to the content of the directory.
  private func catchUp(_ state: inout State) throws {
    state.events.add(watcher.take())
    let names = try state.folder.stamp()
    let news = try state.log.read(state.lock.file)
    do {
      switch news {
      case .changes(let digests) where !mustCompare(state, names, digests):
        try read(digests, &state)
      default:
        try compare(&state)
      }
    } catch {
      state.isUnsure = true
      throw error
    }
    state.separateTies()
    state.index.reserve(before: state.log.nextPosition)
    state.events = DiskWatcher.Events()
    state.names = names
  }

  private func mustCompare(_ state: State, _ names: FileStamp, _ digests: [ContentDigest]) -> Bool {
    if state.isUnsure || state.events.isIncomplete { return true }
    if watcher.isWatching { return false }
    // Changes by hand are not logged; a file's content changes without its directory's stamp.
    if digests.isEmpty && state.names?.resembles(names) != true { return true }
    return state.events.isPoll && state.nextComparison.map { $0 < .now } ?? true
  }

  /// Compares all files; rarely, if there are many and it happens repeatedly.
  private func compare(_ state: inout State) throws {
    let start = ContinuousClock.now
    try state.index.compare(with: state.folder, noting: &state.history)
    state.isUnsure = false
    let end = ContinuousClock.now
    state.nextComparison = end + (end - start) * 100
  }

  /// Reads the reported items.
  private func read(_ digests: [ContentDigest], _ state: inout State) throws {
    for digest in digests { try state.read(digest) }
    for digest in state.events.written { try state.read(digest) }
    for digest in state.events.named {
      // Items of own commits, and items already read, have the same stamp.
      let found = try state.folder.stamp(of: DiskFileName.name(ofItem: digest))
      let isKnown = state.index.stamp(digest).map { $0.resembles(found) } ?? (found == nil)
      if !isKnown { try state.read(digest) }
    }
  }
}

extension DiskFolder.State {
  /// Reads the header of an item's file again.
  mutating func read(_ digest: ContentDigest) throws {
    if let change = try index.read(digest, in: folder) { history.add(change) }
  }

  /// Records that an item has changed or moved.
  mutating func noteChange(_ digest: ContentDigest) {
    guard let key = index.entries[digest]?.key else { return }
    history.add(DiskHistory.Change(digest: digest, key: key))
  }

  /// Gives each item a place of its own; returns whether other items have moved.
  @discardableResult
  mutating func separateTies() -> Bool {
    let moved = index.separateTies()
    for digest in moved { noteChange(digest) }
    return !moved.isEmpty
  }

  /// Records that the names are those of this process's own write.
  mutating func noteNames() {
    // If that fails, all files are compared the next time.
    names = try? folder.stamp()  // see above
  }
}
