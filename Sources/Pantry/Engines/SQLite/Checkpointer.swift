internal import SystemSupport

/// Copies the write-ahead log to the database file, so that the log can restart.
///
/// An automatic checkpoint runs inside the commit that crosses the limit and doubles its cost. So
/// the checkpoint runs beside the commits, on a separate connection and queue. During continuous
/// writes, such a checkpoint never includes the newest pages, and SQLite restarts the log only when
/// all of it has been copied (https://sqlite.org/wal.html#ckpt): when the log has become twice as
/// long, the rest is copied between two commits.
///
/// It is copied as well two seconds after the last commit, so that the file of an idle program has
/// everything.
final class Checkpointer: Sendable {
  /// The number of pages between two checkpoints: SQLite's own default.
  static let pagesBetweenCheckpoints = 1_000
  /// The log length from which the log is copied between commits.
  static let pagesBeforeRestart = 2_000
  /// The number of pages before the next attempt: a reader may be using old pages.
  private static let pagesBetweenRestarts = 250
  /// The number of pages after which the free space of the disk is looked at again: 512 KB.
  private static let pagesBetweenLooks = 64

  /// The time after the last commit at which the log is copied.
  private static let idleTime = Duration.seconds(2)

  private struct State {
    /// When the last commit was, by the clock that is never set.
    var lastCommit = Duration.zero
    /// Whether the time after it is being waited for.
    var isWaiting = false
    /// The log lengths at the last copies beside and between commits.
    var pagesAtCheckpoint = 0
    var pagesAtRestart = 0
    /// The log length when the free space was last looked at, and whether there was little.
    var pagesAtLook = -Checkpointer.pagesBetweenLooks
    var isScarce = false
    var isCopying = false
    /// The number of commits of this process.
    var commits = 0
  }

  private var queue: any WorkQueue { writer.upkeep }
  private let location: SQLiteLocation
  private let writer: SQLiteWriter
  private let sweeper: AttachmentSweeper
  private var room: SQLiteLogRoom { SQLiteLogRoom(path: location.path) }
  private let state = Lock(State())

  init(_ location: SQLiteLocation, writer: SQLiteWriter, sweeper: AttachmentSweeper) {
    self.location = location
    self.writer = writer
    self.sweeper = sweeper
  }

  /// Reports the log length after a commit; starts the necessary work.
  func logGrew(toPages pages: Int) {
    let uptime = ProcessContext.current.services.uptime
    let looks = state.withLock { state in
      state.isScarce || !(0..<Self.pagesBetweenLooks).contains(pages - state.pagesAtLook)
    }
    let isScarce = looks && room.isScarce
    let (copies, restarts, makesRoom, waits) = state.withLock { state in
      state.commits += 1
      state.isScarce = isScarce
      if looks { state.pagesAtLook = pages }
      state.lastCommit = uptime
      let waits = !state.isWaiting
      state.isWaiting = true
      if pages < state.pagesAtCheckpoint { state.pagesAtCheckpoint = 0 }
      if pages < state.pagesAtRestart { state.pagesAtRestart = 0 }
      let copies =
        !state.isCopying && pages - state.pagesAtCheckpoint >= Self.pagesBetweenCheckpoints
      if copies {
        state.isCopying = true
        state.pagesAtCheckpoint = pages
      }
      // On a nearly full disk, the file should get the room that it needs at once.
      let restarts =
        isScarce
        || pages >= Self.pagesBeforeRestart
          && pages - state.pagesAtRestart >= Self.pagesBetweenRestarts
      if restarts { state.pagesAtRestart = pages }
      let makesRoom = state.commits == (isScarce ? 1 : SQLiteLogRoom.commitsBefore)
      return (copies, restarts, makesRoom, waits)
    }
    if waits { copyWhenIdle(after: Self.idleTime) }
    if makesRoom { makeRoom() }
    if copies { copyBesideCommits() }
    if restarts { copyBetweenCommits() }
  }

  /// Extends the log, piece by piece between commits.
  private func makeRoom() {
    writer.executor.queue.async { [weak self] in
      guard let self, writer.isOpen else { return }
      // A failure, as on a full disk, only makes commits slower.
      let hasMore = try? room.extend(writer.connection())
      if hasMore == true { return makeRoom() }
      queue.async { [room] in room.flush() }
    }
  }

  /// Copies the log once there has been no commit for a while.
  ///
  /// One timer serves all commits until then.
  private func copyWhenIdle(after delay: Duration) {
    writer.executor.queue.async(after: delay) { [weak self] in
      guard let self else { return }
      let uptime = ProcessContext.current.services.uptime
      let rest = state.withLock { state in
        let rest = state.lastCommit + Self.idleTime - uptime
        state.isWaiting = rest > .zero
        return rest
      }
      if rest > .zero { return copyWhenIdle(after: rest) }
      // A closed file has everything already.
      if writer.isOpen { copyBesideCommits() }
    }
  }

  private func copyBesideCommits() {
    queue.async { [location, self] in
      // A failed checkpoint loses nothing: the log stays, and a later commit retries.
      try? location.openAnother().checkpoint()
      state.withLock { $0.isCopying = false }
      sweeper.sweepInBackground()
    }
  }

  private func copyBetweenCommits() {
    writer.executor.queue.async { [queue, writer] in
      // Not beside a running checkpoint, which would make it fail.
      queue.sync {}
      guard writer.isOpen else { return }
      // A reader of old pages may leave part of the log: then it is retried.
      try? writer.connection().database.checkpoint()
    }
  }

  /// Waits for a running copy; call it on the writer's queue.
  func finish() { queue.sync {} }
}
