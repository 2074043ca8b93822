internal import Glibc
internal import SystemSupport

/// Notifies the followers of a database file when there are changes to read.
///
/// A writer of Pantry's sends a notification of its commit: see ``SQLiteNotifyFile``. Other writers
/// are detected by the write-ahead log, which they write to *before* the commit is visible, and
/// before its flush to the disk, which may take long: so the watcher re-checks with exponential
/// back-off until no writer holds the lock. Each check reads one integer, and more only if another
/// process has written.
///
/// If the directory cannot be watched, it polls twice a second.
///
/// Sendable because `polling`, `seen`, `isUndisturbed`, `checkIsScheduled` and `retryIsScheduled`
/// are used on the writer's queue only, and all other mutable state has a lock.
final class SQLiteWatcher: @unchecked Sendable {
  /// The intervals between checks after a write to the log, in milliseconds; the last one repeats
  /// while a writer holds the lock.
  private static let intervals = [1, 2, 4, 8, 16, 32]
  /// Further intervals of a read-only watcher, which cannot detect a writer's lock.
  private static let readerIntervals = [64, 128, 256, 512, 1_024]
  private static let pollInterval = Duration.milliseconds(500)
  /// The first and the longest interval between attempts while checks fail, in milliseconds.
  private static let retryIntervals = (first: 64, longest: 1_024)

  private struct State {
    var isStarted = false
    var rechecking: Task<Void, Never>?
    var checks = 0
  }

  private struct Seen: Equatable {
    let file: Int
    /// Changes when another connection has written
    /// (https://sqlite.org/pragma.html#pragma_data_version).
    let version: Int64?
    /// The number of moves of rows to another namespace in this process.
    let moves: Int
    /// The connection of the check: each counts on its own.
    let connection: Int
  }

  private let location: SQLiteLocation
  private let succession: SQLiteSuccession
  private let writer: SQLiteWriter
  private var queue: any WorkQueue { writer.executor.queue }
  private let notifyFile: SQLiteNotifyFile
  private let followers: StorageFollowers
  private let polls: Bool
  private let services = ProcessContext.current.services
  private let state = Lock(State())
  private let watch = Lock<(any DirectoryWatch)?>(nil)
  private var polling: Task<Void, Never>?
  private var seen: Seen?
  /// Whether a check without a notification is scheduled.
  private var checkIsScheduled = false
  /// Whether this process was the only one that had the file open when it last committed after a
  /// check: until the next check, 32 ms later at most, its commits wait for no turn, and those of
  /// others tell it nothing.
  ///
  /// Use it on the writer's queue.
  private(set) var isUndisturbed = false
  /// Whether a check after a failed one is scheduled.
  private var retryIsScheduled = false

  /// - Parameter polls: whether to poll twice a second, as if the directory could not be watched.
  init(
    _ location: SQLiteLocation, succession: SQLiteSuccession, writer: SQLiteWriter,
    notifyFile: SQLiteNotifyFile, followers: StorageFollowers, polls: Bool = false
  ) {
    self.location = location
    self.succession = succession
    self.writer = writer
    self.notifyFile = notifyFile
    self.followers = followers
    self.polls = polls
  }

  deinit {
    polling?.cancel()
    state.withLock { $0.rechecking }?.cancel()
  }

  var checkCount: Int { state.withLock(\.checks) }

  /// Starts watching, once.
  func start() {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    guard isFirst else { return }
    queue.async { [weak self] in
      guard let self else { return }
      begin()
      // Finds writes made before the watch began.
      check()
    }
  }

  /// Ignores writes to the log, for a commit of this process, until ``resume()``.
  ///
  /// Call it on the writer's queue.
  func pause() {
    if !isUndisturbed { watch.withLock(\.self)?.pause() }
  }

  /// Ends ``pause()``, after a commit of this process; only with the next check, if no other
  /// process has the file open.
  func resume() {
    guard !isUndisturbed, let watch = watch.withLock(\.self) else { return }
    isUndisturbed = !checkIsScheduled && notifyFile.isAlone
    if !isUndisturbed { watch.resume() }
    scheduleCheck()
  }

  /// Schedules a check for writes of which no event or no notification may come: those that another
  /// program made during a commit or while the file was closed, and those of a writer that died.
  ///
  /// Call it on the writer's queue.
  ///
  /// One for all that come before it, since creating and canceling a timer for each would cost a
  /// follower more than reading the change.
  func scheduleCheck() {
    guard !checkIsScheduled else { return }
    checkIsScheduled = true
    queue.async(after: .milliseconds(Self.intervals.last ?? 0)) { [weak self] in
      guard let self else { return }
      checkIsScheduled = false
      if isUndisturbed { watch.withLock(\.self)?.resume() }
      isUndisturbed = false
      // In this order: a writer before the check has committed by the time of the check.
      let isWritten = isBeingWritten
      check()
      if isWritten { recheck(after: Self.intervals.suffix(1)) }
    }
  }

  /// Notifies the other followers in this process of a commit; call it on the writer's queue.
  ///
  /// - Parameter cursors: the cursors of the namespaces after it, by number.
  func committed(_ cursors: [Int64: SQLiteCursor], inFile file: Int) {
    for follower in followers.all {
      // A follower that has read nothing yet will read everything.
      guard let place = follower.place, place.file == file, let cursor = cursors[place.namespace],
        place.cursor.item < cursor.item || place.cursor.change < cursor.change
      else { continue }
      follower.tell()
    }
  }

  // MARK: Checking

  private func begin() {
    let opened =
      polls
      ? nil
      : services.watch(location.place.directory, on: queue) { [weak self] events in
        self?.handle(events)
      }
    watch.withLock { $0 = opened }
    guard opened == nil, polling == nil else { return }
    polling = Task { [weak self, queue, services] in
      while self != nil {
        do {
          try await services.sleep(for: Self.pollInterval)
        } catch {
          return  // canceled
        }
        queue.async { [weak self] in self?.check() }
      }
    }
  }

  private var intervals: [Int] {
    location.isReadOnly ? Self.intervals + Self.readerIntervals : Self.intervals
  }

  private func handle(_ events: DirectoryEvents) {
    let name = location.place.name
    if events.isOver { begin() }
    let isUnsure = events.isIncomplete || events.isOver || events.named.contains(name)
    if isUnsure { _ = succession.number }
    let log = name + "-wal"
    let notice = SQLiteLocation.notifyName(of: name)
    if isUnsure || events.named.contains(log) {
      check()
      recheck(after: intervals)
    } else if events.lastWritten == notice || events.named.contains(notice) {
      // The writer to the log has sent its notification.
      stopRechecking()
      check()
    } else if events.written.contains(log) {
      if notifyFile.othersAreWriting {
        // A writer of Pantry's will send a notification, unless it dies.
        scheduleCheck()
      } else {
        check()
        recheck(after: intervals)
      }
    } else if events.written.contains(notice) {
      check()
    }
  }

  /// Checks after each of the intervals, in milliseconds, and then as long as a writer holds the
  /// lock.
  private func recheck(after intervals: [Int]) {
    state.withLock { state in
      state.rechecking?.cancel()
      state.rechecking = Task { [weak self, services] in
        do {
          var isWritten = false
          for milliseconds in intervals.dropLast() {
            try await services.sleep(for: .milliseconds(milliseconds))
            await self?.onQueue { $0.check() }
          }
          repeat {
            try await services.sleep(for: .milliseconds(intervals.last ?? 0))
            // In this order: a writer before the check has committed by the time of the check.
            isWritten = await self?.onQueue { $0.isBeingWritten } ?? false
            await self?.onQueue { $0.check() }
          } while isWritten
        } catch {
          return  // the log was written to again, or its writer has notified
        }
      }
    }
  }

  private func stopRechecking() {
    state.withLock { state in
      state.rechecking?.cancel()
      state.rechecking = nil
    }
  }

  private func onQueue<Result: Sendable>(
    _ work: @escaping @Sendable (SQLiteWatcher) -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work(self)) }
    }
  }

  private var isBeingWritten: Bool {
    if notifyFile.othersAreWriting { return true }
    guard !writer.isClosed else { return false }
    // A file that cannot be opened is checked with the next event.
    let database = try? writer.connection().database
    return database?.isBeingWritten ?? false
  }

  /// - Parameter retryInterval: how long the next check waits if this one fails, in milliseconds.
  private func check(retryInterval: Int = SQLiteWatcher.retryIntervals.first) {
    guard !writer.isClosed else { return }
    state.withLock { $0.checks += 1 }
    do {
      let connection = try writer.connection()
      let now = Seen(
        file: writer.fileNumber,
        version: try connection.database.integer("PRAGMA data_version"),
        moves: connection.moves, connection: writer.connectionCount)
      guard now != seen else { return }
      try connection.database.read {
        for follower in followers.all where try hasNews(follower, on: connection) {
          follower.tell()
        }
      }
      seen = now
    } catch {
      // The file is locked, unreadable or being replaced: the next reader reports the error.
      seen = nil
      retry(after: retryInterval)
    }
  }

  /// Checks again after a failure: no event reports that a lock has ended, or that the file may be
  /// read again.
  ///
  /// There is one attempt at a time. A file that is gone needs none: its return is an event.
  private func retry(after interval: Int) {
    guard !retryIsScheduled, !followers.all.isEmpty, !FileIdentity.isAbsent(location.path)
    else { return }
    retryIsScheduled = true
    queue.async(after: .milliseconds(interval)) { [weak self] in
      guard let self else { return }
      retryIsScheduled = false
      check(retryInterval: min(interval * 2, Self.retryIntervals.longest))
    }
  }

  private func hasNews(
    _ follower: StorageFollower, on connection: SQLiteConnection
  ) throws -> Bool {
    // A follower that has read nothing yet will read everything.
    guard let place = follower.place else { return false }
    // Another file has its own history, even with the same numbers.
    guard place.file == writer.fileNumber,
      let session = connection.session(ofNamespace: place.namespace)
    else { return true }
    return try session.hasChanged(since: place.cursor)
  }
}
