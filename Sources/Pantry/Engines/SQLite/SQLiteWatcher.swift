internal import Dispatch
internal import Glibc
internal import Synchronization

/// Tells the followers of a database file when there is something to read.
///
/// A writer of Pantry's dings: it writes a byte to a file beside the database, after its commit.
/// Other writers are noticed by the write-ahead log, which they write to *before* others see the
/// commit, and before its flush to the disk, which may take long: so it is looked several times, in
/// growing intervals, until nobody is writing. Who looks reads one number.
///
/// Where a directory cannot be watched, it is looked twice a second. What this process commits itself
/// wakes nobody: see ``OwnCommit``.
///
/// Sendable because `polling` and `dataVersion` are used on the writer's queue only, and what else
/// changes has a lock.
final class SQLiteWatcher: @unchecked Sendable {
  /// When it is looked again after the log was written to, in milliseconds from the last look; the
  /// last interval again and again as long as somebody writes.
  private static let intervals = [1, 2, 4, 8, 16, 32]
  private static let pollInterval = Duration.milliseconds(500)

  private struct State {
    var isStarted = false
    /// Up to where it was seen; nil before the first look.
    var newest: StorageFollower.Moment?
    var looking: Task<Void, Never>?
    var lookingNumber = 0
    /// Whether something was written while it was looked.
    var looksOnceMore = false
    var looks = 0
  }

  private let location: SQLiteLocation
  private let succession: SQLiteSuccession
  private let writer: SQLiteWriter
  private var queue: DispatchQueue { writer.executor.queue }
  private let followers: StorageFollowers
  private let polls: Bool
  private let state = Mutex(State())
  private let watch = Mutex<DirectoryWatch?>(nil)
  private var polling: Task<Void, Never>?
  private var dataVersion: Int64?

  /// - Parameter polls: looks twice a second, as if the directory could not be watched.
  init(
    _ location: SQLiteLocation, succession: SQLiteSuccession, writer: SQLiteWriter,
    followers: StorageFollowers, polls: Bool = false
  ) {
    self.location = location
    self.succession = succession
    self.writer = writer
    self.followers = followers
    self.polls = polls
  }

  deinit {
    polling?.cancel()
    state.withLock { $0.looking }?.cancel()
  }

  /// How often it was looked so far.
  var lookCount: Int { state.withLock(\.looks) }

  /// Begins to watch, once.
  func start() {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    guard isFirst else { return }
    queue.async { [weak self] in
      guard let self else { return }
      begin()
      // What was written before the watch began.
      look()
    }
  }

  /// Tells the other processes that something was committed.
  fileprivate func ding() {
    let descriptor = open(location.dingPath, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    var byte: UInt8 = 0
    // If it cannot be written, the log is watched too.
    _ = pwrite(descriptor, &byte, 1, 0)
    close(descriptor)
  }

  // MARK: Commits of this process

  fileprivate var currentWatch: DirectoryWatch? { watch.withLock(\.self) }

  /// Tells the other followers in this process of a commit, and of others' if they had not been seen.
  ///
  /// - Parameter file: the number of the file that it was made in.
  fileprivate func committed(
    _ commit: SQLiteTransaction.Outcome, inFile file: Int
  ) {
    guard state.withLock(\.isStarted) else { return }
    let isNext = state.withLock { state in
      let former = StorageFollower.Moment(file: file, change: commit.formerChange)
      guard state.newest == former else { return false }
      state.newest?.change = commit.newestChange
      return true
    }
    if isNext {
      tell(
        Dictionary(commit.namespaces.map { ($0, commit.newestChange) }) { one, _ in one },
        inFile: file)
    } else {
      queue.async { [weak self] in self?.look() }
    }
    // Another program may have written in the moment after the commit.
    lookAgain(isOwn: true)
  }

  // MARK: Looking

  private func begin() {
    let directory = location.directory.url.path(percentEncoded: false)
    let opened =
      polls
      ? nil
      : DirectoryWatch(directory, on: queue) { [weak self] events in self?.handle(events) }
    watch.withLock { $0 = opened }
    guard opened == nil, polling == nil else { return }
    polling = Task { [weak self, queue] in
      while self != nil {
        do {
          try await Task.sleep(for: Self.pollInterval)
        } catch {
          return  // cancelled
        }
        queue.async { [weak self] in self?.poll() }
      }
    }
  }

  private func handle(_ events: DirectoryWatch.Events) {
    let name = location.filename
    if events.isOver { begin() }
    let isUnsure = events.isIncomplete || events.isOver || events.named.contains(name)
    if isUnsure { _ = succession.number }
    let log = name + "-wal"
    let ding = name + "-ding"
    if isUnsure || events.written.contains(log) || events.named.contains(log) {
      look()
      lookAgain(isOwn: false)
    } else if events.written.contains(ding) || events.named.contains(ding) {
      look()
    }
  }

  /// - Parameter isOwn: whether what was written is likely our own: then no intervals but the last.
  private func lookAgain(isOwn: Bool) {
    state.withLock { state in
      if isOwn, state.looking != nil {
        state.looksOnceMore = true
        return
      }
      state.looking?.cancel()
      state.lookingNumber += 1
      let number = state.lookingNumber
      state.looking = Task { [weak self] in
        do {
          var isWritten = false
          for milliseconds in isOwn ? [] : Self.intervals.dropLast() {
            try await Task.sleep(for: .milliseconds(milliseconds))
            await self?.lookOnQueue()
          }
          repeat {
            try await Task.sleep(for: .milliseconds(Self.intervals.last ?? 0))
            // In this order: whoever was writing before the look has committed then.
            isWritten = await self?.isBeingWritten() ?? false
            await self?.lookOnQueue()
          } while isWritten
        } catch {
          return  // the log was written to again
        }
        self?.endLooking(number)
      }
    }
  }

  private func endLooking(_ number: Int) {
    let isDue = state.withLock { state in
      guard state.lookingNumber == number else { return false }
      state.looking = nil
      defer { state.looksOnceMore = false }
      return state.looksOnceMore
    }
    if isDue { lookAgain(isOwn: true) }
  }

  private func lookOnQueue() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.look()
        continuation.resume()
      }
    }
  }

  private func isBeingWritten() async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async {
        // A file that cannot be opened is looked at with the next event.
        let database = try? self.writer.connection().database  // see above
        continuation.resume(returning: database?.isBeingWritten ?? false)
      }
    }
  }

  /// Looks only if another connection has written (https://sqlite.org/pragma.html#pragma_data_version).
  private func poll() {
    do {
      let version = try writer.connection().database.integer("PRAGMA data_version")
      guard version != dataVersion else { return }
      dataVersion = version
      look()
    } catch {
      dataVersion = nil  // who reads the file says what is wrong with it
    }
  }

  private func look() {
    state.withLock { $0.looks += 1 }
    do {
      let database = try writer.connection().database
      let file = writer.fileNumber
      let former = state.withLock(\.newest)
      let change =
        try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'change'") ?? 0
      let now = StorageFollower.Moment(file: file, change: change)
      guard now != former else { return }
      // Another file has a history of its own, even if it is as long.
      let changed = try former.flatMap { former in
        former.file == file && change > former.change
          ? try changes(since: former.change, in: database) : nil
      }
      state.withLock { state in
        // A commit of our own may have been noted since.
        let isNoted = state.newest != former && state.newest?.file == file
        let noted = isNoted ? state.newest?.change ?? 0 : 0
        state.newest = StorageFollower.Moment(file: file, change: max(change, noted))
      }
      if let changed {
        tell(changed, inFile: file)
      } else {
        for follower in followers.all where !follower.hasReached(now) { follower.tell() }
      }
    } catch {
      // The file is locked, or being replaced: whoever reads it says what is wrong with it, and the
      // next event looks again.
    }
  }

  /// Tells the followers that have not read so far.
  ///
  /// - Parameter changes: the last change in each namespace.
  private func tell(_ changes: [Int64: Int64], inFile file: Int) {
    for follower in followers.all {
      // One that has read nothing yet will.
      guard let namespace = follower.reached?.namespace, let last = changes[namespace] else {
        continue
      }
      if !follower.hasReached(StorageFollower.Moment(file: file, change: last)) { follower.tell() }
    }
  }

  /// The last change in each namespace that has one since `change`.
  private func changes(since change: Int64, in database: Database) throws -> [Int64: Int64] {
    let statement = try database.statement(
      "SELECT namespace, max(seq) FROM change WHERE seq > ?1 GROUP BY +namespace")
    defer { statement.reset() }
    try statement.bind(.integer(change))
    var changes: [Int64: Int64] = [:]
    while try statement.step() { changes[statement.integer(0)] = statement.integer(1) }
    return changes
  }
}

/// A commit of this process: from when nobody else can write any more until its end what is written
/// in the directory is its doing, and wakes nobody.
///
/// Each page that it writes would wake the watcher; an addition of one item took 0.2 ms longer.
final class OwnCommit: Sendable {
  private let watcher: SQLiteWatcher
  private let overlooking = Mutex<DirectoryWatch?>(nil)

  init(_ watcher: SQLiteWatcher) {
    self.watcher = watcher
  }

  /// Says that the lock has been taken.
  func begin() {
    let watch = watcher.currentWatch
    watch?.overlook()
    overlooking.withLock { $0 = watch }
  }

  /// Says that all is on disk, or nothing, and tells the other processes if something is.
  ///
  /// - Parameter file: the number of the file that it was made in.
  func end(_ commit: SQLiteTransaction.Outcome?, inFile file: Int) {
    if commit?.positions != nil { watcher.ding() }
    overlooking.withLock { $0.take() }?.heed()
    if let commit { watcher.committed(commit, inFile: file) }
  }
}
