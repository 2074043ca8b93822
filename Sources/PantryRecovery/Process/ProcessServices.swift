package import FoundationEssentials
package import SystemSupport

/// The services of the operating system that depend on time, chance or other threads.
///
/// ``SystemServices`` are those of a real process. A test program can put others in place that
/// decide the moment and the outcome of each call.
package protocol ProcessServices: Sendable {
  /// Creates a serial queue for work that blocks its thread.
  ///
  /// - Parameter isUrgent: whether a user may wait for the work.
  func queue(label: String, isUrgent: Bool) -> any WorkQueue

  /// Runs `work`, which blocks its thread, beside all other work.
  func runInBackground(_ work: @escaping @Sendable () -> Void)

  var now: Date { get }

  /// The time since a moment in the past, by a clock that is never set.
  var uptime: Duration { get }

  /// Waits without a thread.
  ///
  /// - Throws: `CancellationError` as soon as the caller is canceled.
  func sleep(for duration: Duration) async throws

  /// Blocks the thread.
  func pause(for duration: Duration)

  func random() -> UInt64

  /// Watches the files of a directory; nil if the system cannot report their changes.
  ///
  /// - Parameters:
  ///   - queue: the queue of `handler`.
  ///   - handler: receives the changes since its last call.
  func watch(
    _ directory: String, on queue: any WorkQueue,
    handler: @escaping @Sendable (DirectoryEvents) -> Void
  ) -> (any DirectoryWatch)?

  /// The name of the file system that SQLite uses (https://sqlite.org/vfs.html); nil for its own.
  var sqliteFileSystem: String? { get }

  /// The free space on the file system of `path`, in bytes; `Int.max` if unknown.
  func freeByteCount(at path: String) -> Int

  /// Runs `work` when the process ends by `exit`.
  func atExit(_ work: @escaping @Sendable () -> Void)

  var sizes: WorkSizes { get }
}

extension ProcessServices {
  package var sizes: WorkSizes { WorkSizes() }
}

/// The sizes in which work is divided, which a test program can make small.
package struct WorkSizes: Sendable {
  /// The number of rows read at a time.
  package var page = 512
  /// The number of items worked on at a time on the main actor: about 1 ms.
  package var slice = 256
  /// The largest number of affected items for a change on the main actor: about 2 ms.
  package var changeInPlace = 1_000
  /// The number of entries kept in the log of changes.
  package var keptChanges: Int64 = 10_000

  package init() {}

  /// Those of the current process.
  package static var current: WorkSizes { ProcessContext.current.services.sizes }
}

/// Watches the files of a directory as long as it exists.
package protocol DirectoryWatch: AnyObject, Sendable {
  /// Ignores writes to files until ``resume()``, which the caller must call.
  ///
  /// Otherwise a writer's own writes would wake it, a tenth of a millisecond each time.
  func pause()

  func resume()
}

/// The changes of files in a directory since the last report.
package struct DirectoryEvents: Sendable {
  /// The names of the files that were written to.
  package var written: Set<String> = []
  /// The name of the file written to last.
  package var lastWritten: String?
  /// The names of the files that were added or removed.
  package var named: Set<String> = []
  /// Whether events were lost because the kernel's queue was full.
  package var isIncomplete = false
  /// Whether the directory itself is gone, and no more events will come.
  package var isOver = false

  package init() {}
}
