internal import Dispatch
internal import Synchronization

/// Copies the write-ahead log into the database file, so that the log begins anew.
///
/// An automatic checkpoint runs inside the commit that crosses the limit and doubles its cost. So
/// the copying is done beside the commits, on a connection and a queue of its own. While somebody
/// goes on writing, such a copy never has the newest pages, and SQLite begins the log anew only
/// when all of it has been copied (https://sqlite.org/wal.html#ckpt): when it has become twice as
/// long, the rest is copied between two commits.
final class Checkpointer: Sendable {
  /// How many pages are written between two checkpoints: SQLite's own default.
  static let pagesBetweenCheckpoints = 1_000
  /// From which length on the log is copied between commits.
  static let pagesBeforeRestart = 2_000
  /// How many pages are written before that is tried again: somebody may be reading old pages.
  private static let pagesBetweenRestarts = 250

  private struct State {
    /// How long the log was when it was last copied beside the commits, and between two.
    var pagesAtCheckpoint = 0
    var pagesAtRestart = 0
    var isCopying = false
    /// How many commits this process has made.
    var commits = 0
  }

  private let queue = DispatchQueue(label: "pantry.checkpoint", qos: .utility)
  private let location: SQLiteLocation
  private let writer: SQLiteWriter
  private let sweeper: AttachmentSweeper
  private let notifyFile: SQLiteNotifyFile
  private var room: SQLiteLogRoom { SQLiteLogRoom(path: location.path) }
  private let state = Mutex(State())

  init(
    _ location: SQLiteLocation, writer: SQLiteWriter, sweeper: AttachmentSweeper,
    notifyFile: SQLiteNotifyFile
  ) {
    self.location = location
    self.writer = writer
    self.sweeper = sweeper
    self.notifyFile = notifyFile
  }

  /// Says how long the log is after a commit; starts what there is to do.
  func logGrew(toPages pages: Int) {
    let isScarce = room.isScarce
    let (copies, restarts, makesRoom) = state.withLock { state in
      state.commits += 1
      if pages < state.pagesAtCheckpoint { state.pagesAtCheckpoint = 0 }
      if pages < state.pagesAtRestart { state.pagesAtRestart = 0 }
      let copies =
        !state.isCopying && pages - state.pagesAtCheckpoint >= Self.pagesBetweenCheckpoints
      if copies {
        state.isCopying = true
        state.pagesAtCheckpoint = pages
      }
      // On a disk that is nearly full the file is to have the room that it needs at once.
      let restarts =
        isScarce
        || pages >= Self.pagesBeforeRestart
          && pages - state.pagesAtRestart >= Self.pagesBetweenRestarts
      if restarts { state.pagesAtRestart = pages }
      let makesRoom = state.commits == (isScarce ? 1 : SQLiteLogRoom.commitsBefore)
      return (copies, restarts, makesRoom)
    }
    if makesRoom { makeRoom() }
    if copies { copyBesideCommits() }
    if restarts { copyBetweenCommits() }
  }

  /// Gives the log room, piece by piece between the commits.
  private func makeRoom() {
    writer.executor.queue.async { [weak self] in
      guard let self else { return }
      // Failing, as on a full disk, only makes commits slower.
      let hasMore = try? room.extend(writer.connection())  // see above
      if hasMore == true { return makeRoom() }
      queue.async { [room] in room.flush() }
    }
  }

  private func copyBesideCommits() {
    queue.async { [location, self] in
      // A checkpoint that fails loses nothing: the log stays, and a later commit tries again.
      try? location.openAnother().checkpoint()  // see above
      state.withLock { $0.isCopying = false }
      sweeper.sweepInBackground()
    }
  }

  private func copyBetweenCommits() {
    writer.executor.queue.async { [queue, writer] in
      // Not beside the one that is under way, which would make it fail.
      queue.sync {}
      // A reader of old pages leaves some of it: then it is tried again.
      try? writer.connection().database.checkpoint()  // see above
    }
  }

  /// Empties the log, unless other processes have the file open: then it is copied, and stays for
  /// them.
  func empty() async {
    await withCheckedContinuation { continuation in
      queue.async { [location, notifyFile] in
        // A checkpoint that fails loses nothing: whoever opens the file next reads the log.
        let database = try? location.openAnother()  // see above
        if let database, !database.isReadOnly {
          if notifyFile.isAlone {
            try? database.emptyLog()  // see above
          } else {
            try? database.checkpoint()  // see above
          }
        }
        continuation.resume()
      }
    }
  }
}
