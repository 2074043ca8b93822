internal import Dispatch
internal import Synchronization

/// Copies the write-ahead log into the database file on a connection and a queue of its own.
///
/// An automatic checkpoint runs inside the commit that crosses the limit and doubles its cost.
final class Checkpointer: Sendable {
  /// The log's length that starts a checkpoint: SQLite's own default of 1,000 pages.
  static let pagesBeforeCheckpoint = 1_000

  private let queue = DispatchQueue(label: "pantry.checkpoint", qos: .utility)
  private let location: SQLiteLocation
  private let isScheduled = Mutex(false)

  init(_ location: SQLiteLocation) {
    self.location = location
  }

  /// Starts a checkpoint if the log is long enough and none is under way.
  func logGrew(toPages pages: Int) {
    guard pages >= Self.pagesBeforeCheckpoint else { return }
    let starts = isScheduled.withLock { scheduled in
      defer { scheduled = true }
      return !scheduled
    }
    guard starts else { return }
    queue.async { [location, self] in
      // A checkpoint that fails loses nothing: the log stays, and the next commit tries again.
      try? location.openAnother().checkpoint()  // failing leaves the log as it is
      isScheduled.withLock { $0 = false }
    }
  }

  /// Empties the log, unless somebody reads or writes: then as much as that allows.
  func empty() async {
    await withCheckedContinuation { continuation in
      queue.async { [location] in
        // A checkpoint that fails loses nothing: whoever opens the file next reads the log.
        try? location.openAnother().emptyLog()  // see above
        continuation.resume()
      }
    }
  }
}
