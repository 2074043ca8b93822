internal import FoundationEssentials
internal import Synchronization

/// What the engines of this process on one directory share: its files, its index, its queue.
///
/// Other processes use the directory at the same time. Whoever reads or writes takes the lock, and
/// finishes first what a process that is no more has begun, and reads what others have changed.
final class DiskFolder: Sendable {
  /// Runs the engines: they share the index, so they take turns anyway.
  let executor = QueueExecutor(label: "pantry.disk")
  let path: String
  let isReadOnly: Bool
  let followers = StorageFollowers()
  private let watcher: DiskWatcher
  private let patience: Duration
  private let state: Mutex<State>

  struct State {
    var folder: OpenFolder
    var lock: DiskLock
    var log = DiskChangeLog()
    var index = DiskIndex()
    var history = DiskHistory()
    var isRecovered = false
    /// Whether the index may be wrong in ways that nobody will tell.
    var isUnsure = true
    /// The number in the names of temporary files: no two commits of any process have the same.
    var lastCommit = Int.random(in: 0..<1 << 48)
    /// What is known to have happened in the directory, and has not been read.
    fileprivate var events = DiskWatcher.Events()
    /// What the list of names looked like when it was last read or written.
    fileprivate var names: FileStamp?
    fileprivate var nextComparison: ContinuousClock.Instant?
    /// The moment that the followers have been told of.
    fileprivate var told: DiskHistory.Moment?
    /// Whether a follower may have been told and could not read.
    fileprivate var hasFailed = false
  }

  /// Opens the directory and finishes what a crash interrupted, unless another process is at it.
  ///
  /// - Parameters:
  ///   - patience: how long one waits for another process that has the lock.
  ///   - polls: looks for changes twice a second, as where a directory cannot be watched.
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
      // Whoever opens may be the main actor, which does not wait: the first call recovers.
    }
    self.state = Mutex(state)
  }

  /// The error that names the file for the key with this digest.
  func damaged(_ digest: ContentDigest, _ reason: String) -> StorageError {
    .damagedFile(path: path(of: digest), reason: reason)
  }

  /// The path of the file for the key with this digest.
  func path(of digest: ContentDigest) -> String {
    (path.hasSuffix("/") ? path : path + "/") + DiskFileName.name(ofItem: digest)
  }

  // MARK: Access

  /// Runs `body` with the lock, on an index of what is in the directory now.
  ///
  /// - Throws: ``StorageError/readOnly(path:)`` for writing if the directory is read-only.
  func access<Result: Sendable>(
    _ access: LockFile.Access, _ body: (inout State) throws -> Result
  ) throws -> Result {
    defer { tellFollowers() }
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
          state.told = nil
        }
        return result
      }
    } catch {
      state.withLock { $0.hasFailed = true }
      if Self.mayPass(error) { watcher.askAgain() }
      throw error
    }
  }

  /// Begins to watch the directory; followers are told from now on.
  func watch() {
    watcher.start { [weak self] in
      guard let self else { return }
      executor.queue.async { self.look() }
    }
  }

  private func look() {
    watcher.lookBegins()
    // What cannot be read now is an error of whoever asks for it; it is looked again after the next
    // change, or in a moment.
    try? access(.reading) { _ in }  // see above
  }

  /// Whether an error may be over soon without anything happening in the directory.
  private static func mayPass(_ error: any Error) -> Bool {
    switch error {
    case StorageError.inUse, StorageError.outcomeUnknown: true
    default: error is DiskError
    }
  }

  private func tellFollowers() {
    let newest: DiskHistory.Moment? = state.withLock { state in
      let newest = state.history.newest
      if state.history.count > 0 {
        state.history.forget(before: followers.all.compactMap(\.moment))
      }
      guard state.told != newest else { return nil }
      state.told = newest
      return newest
    }
    guard let newest else { return }
    for follower in followers.all {
      // Those that have read nothing yet will read all.
      if let moment = follower.moment, moment != newest { follower.tell() }
    }
  }

  /// Takes the directory that is at the path, if it is another one than before.
  private func followDirectory(_ state: inout State) throws {
    guard let identity = FileIdentity(path: path) else { throw StorageError.fileIsGone(path: path) }
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

  /// Finishes what a process has begun that is no more: one that is has the lock.
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

  /// Finishes a commit that a crash interrupted and removes what others left; needs the lock.
  private static func recover(_ state: inout State) throws {
    let folder = state.folder
    guard folder.isWritable else {
      // Temporary files are no obstacle; half of a commit is.
      guard try folder.identity(of: DiskFileName.journal) == nil else {
        throw StorageError.needsWriting(
          path: folder.path, reason: "a commit was interrupted and is to be finished")
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
    // From here on no journal and no temporary file of the past can come back.
    try folder.flush()
    if let file = state.lock.file {
      // On a full disk there is none, and each call compares all the files.
      try? state.log.beginIfNeeded(file)  // see above
    }
    state.isRecovered = true
  }

  // MARK: Catching up

  /// Brings the index to what is in the directory.
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
    // Nobody tells what a person does to the files; what is in them changes without the names.
    if digests.isEmpty && names != state.names { return true }
    return state.events.isPoll && state.nextComparison.map { $0 < .now } ?? true
  }

  /// Compares all files: seldom where there are many and it has to be done again and again.
  private func compare(_ state: inout State) throws {
    let start = ContinuousClock.now
    try state.index.compare(with: state.folder, noting: &state.history)
    state.isUnsure = false
    let end = ContinuousClock.now
    state.nextComparison = end + (end - start) * 100
  }

  /// Reads the items of which somebody has told.
  private func read(_ digests: [ContentDigest], _ state: inout State) throws {
    for digest in digests { try state.read(digest) }
    for digest in state.events.written { try state.read(digest) }
    for digest in state.events.named {
      // One's own commits, and what others have told of, look as they did.
      let found = try state.folder.stamp(of: DiskFileName.name(ofItem: digest))
      if found != state.index.stamp(digest) { try state.read(digest) }
    }
  }
}

extension DiskFolder.State {
  /// Reads the head of an item's file again.
  mutating func read(_ digest: ContentDigest) throws {
    if let change = try index.read(digest, in: folder) { history.add(change) }
  }

  /// Notes that an item is another one, or elsewhere.
  mutating func noteChange(_ digest: ContentDigest) {
    guard let key = index.entries[digest]?.key else { return }
    history.add(DiskHistory.Change(digest: digest, key: key))
  }

  /// Gives each item a place of its own; returns whether that has changed others.
  @discardableResult
  mutating func separateTies() -> Bool {
    let moved = index.separateTies()
    for digest in moved { noteChange(digest) }
    return !moved.isEmpty
  }

  /// Notes that the list of names is as one has just written it.
  mutating func noteNames() {
    // If that cannot be told, all files are compared the next time.
    names = try? folder.stamp()  // see above
  }
}
