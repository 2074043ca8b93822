internal import CPantryFileSystem
internal import Glibc
package import SystemSupport

/// The small file beside a database by which its processes coordinate.
///
/// After each commit, a byte is written to it, which wakes the watchers of the directory. Other
/// bytes are locks, which the kernel releases when a process dies:
/// - a *ticket* is held by each process that writes or waits for that: the next one has the byte
///   after the last, and a turn comes when no ticket before it is held. SQLite's own lock is not
///   fair: a process that commits without a pause would always get it. The *turnstile* is held for
///   as long as it takes to find the next ticket. A process that has just been alone writes without
///   one;
/// - the *lease* is held by all processes that have the database open, so that the last one can
///   detect it.
///
/// Only fairness and speed depend on it: if it cannot be created or locked, SQLite's lock still
/// works, and the write-ahead log is watched too.
package final class SQLiteNotifyFile: Sendable {
  private static let turnstile: off_t = 0
  private static let lease: off_t = 2
  private static let notice: off_t = 3
  private static let tickets: off_t = 1 << 32
  private let path: String
  /// The write-ahead log, to which each commit writes.
  private let logPath: String
  private let patience: Duration
  /// Whether an existing file is opened for the lease only, and none is created.
  private let isReadOnly: Bool
  /// The descriptor; negative while the file cannot be opened.
  private let descriptor = Lock<Int32>(-1)
  /// The ticket of this process, from the call of ``takeTurn()`` to the end of the turn.
  let ticket = Lock<off_t?>(nil)

  package init(of location: SQLiteLocation) {
    path = location.notifyPath
    logPath = location.logPath
    patience = .milliseconds(Int(location.patience))
    isReadOnly = location.isReadOnly
  }

  deinit { close() }

  /// Closes the file and gives up the lease, until it is opened again.
  package func close() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { Glibc.close(descriptor) }
      descriptor = -1
      ticket.withLock { $0 = nil }
    }
  }

  /// Opens the file and takes the lease, unless already done.
  ///
  /// Call it on the writer's queue, where the descriptor is used.
  package func openIfNeeded() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 {
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return }
        // The file was removed: other processes use another one.
        Glibc.close(descriptor)
        ticket.withLock { $0 = nil }
      }
      descriptor = isReadOnly ? -1 : Descriptors.openOrCreate(path, O_RDWR)
      if descriptor < 0 { descriptor = Descriptors.open(path, O_RDONLY | O_NOFOLLOW) }
      if descriptor >= 0 { _ = pantry_lock_byte(descriptor, Int16(F_RDLCK), Self.lease) }
    }
  }

  /// Waits for the turn to write, after all that came before, unless it has been kept; call
  /// ``endTurn()`` or ``keepTurn(on:)`` in any case.
  ///
  /// - Returns: whether to wait for SQLite's own lock: not if nobody has written to the log for the
  ///   whole time that it would wait.
  package func takeTurn() -> Bool {
    openIfNeeded()
    let descriptor = descriptor.withLock(\.self)
    guard descriptor >= 0, ticket.withLock({ $0 == nil }) else { return true }
    var wait = LockWait(patience: patience)
    let earlier = (takeTicket(of: descriptor, &wait) ?? Self.tickets) - Self.tickets
    while earlier > 0, pantry_locked_byte(descriptor, Self.tickets, earlier) > 0,
      wait.pass(seeing: [FileStamp(path: logPath)])
    {}
    return !wait.isOver
  }

  /// Takes the ticket after the last one that is held; nil if that takes too long.
  private func takeTicket(of descriptor: Int32, _ wait: inout LockWait) -> off_t? {
    while pantry_lock_byte(descriptor, Int16(F_WRLCK), Self.turnstile) != 0 {
      guard errno == EAGAIN || errno == EACCES || errno == EINTR, wait.pass() else { return nil }
    }
    defer { unlock(Self.turnstile, of: descriptor) }
    var next = Self.tickets
    while case let end = pantry_locked_byte(descriptor, next, 0), end > 0 { next = end }
    guard pantry_lock_byte(descriptor, Int16(F_WRLCK), next) == 0 else { return nil }
    ticket.withLock { $0 = next }
    return next
  }

  /// Keeps the turn for an operation that has found changes of others, and begins anew.
  ///
  /// It would come last otherwise, and find changes each time. If it does not come, the turn ends
  /// after a moment.
  ///
  /// - Parameter queue: the writer's queue.
  package func keepTurn(on queue: any WorkQueue) {
    guard othersAreWriting, let kept = ticket.withLock(\.self) else { return endTurn() }
    queue.async(after: .milliseconds(100)) { [weak self] in
      // A later turn may have the same number: it is kept for a shorter time.
      if let self, ticket.withLock({ $0 == kept }) { endTurn() }
    }
  }

  package func endTurn() {
    let descriptor = descriptor.withLock(\.self)
    if let ticket = ticket.withLock({ $0.take() }), descriptor >= 0 {
      unlock(ticket, of: descriptor)
    }
  }

  package func notify() {
    let descriptor = descriptor.withLock(\.self)
    var byte: UInt8 = 0
    // A failed write is harmless: the log is watched too.
    if descriptor >= 0 { _ = pwrite(descriptor, &byte, 1, Self.notice) }
  }

  /// Whether another process of Pantry is writing, or waits for that: it will notify of it.
  package var othersAreWriting: Bool {
    descriptor.withLock { $0 >= 0 && pantry_locked_byte($0, Self.tickets, 0) > 0 }
  }

  /// Whether no other process has the database open; false if unknown.
  package var isAlone: Bool {
    descriptor.withLock { $0 >= 0 && pantry_locked_byte($0, Self.lease, 1) == 0 }
  }

  /// Returns whether any process has the database of the file at `path` open; true if unknown.
  package static func isOpen(at path: String) -> Bool {
    let descriptor = Descriptors.open(path, O_RDONLY | O_NOFOLLOW)
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { Glibc.close(descriptor) }
    return pantry_locked_byte(descriptor, lease, 1) != 0
  }

  /// Returns whether nothing can be locked on the file system of the file at `path`; false if
  /// unknown.
  static func lacksLocks(at path: String) -> Bool {
    let descriptor = Descriptors.open(path, O_RDONLY | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    return pantry_locked_byte(descriptor, lease, 1) < 0 && errno == ENOLCK
  }

  private func unlock(_ byte: off_t, of descriptor: Int32) {
    _ = pantry_lock_byte(descriptor, Int16(F_UNLCK), byte)
  }
}
