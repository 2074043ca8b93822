internal import CPantryFileSystem
internal import Glibc
internal import SystemSupport

/// The small file beside a database by which its processes coordinate.
///
/// After each commit, a byte is written to it, which wakes the watchers of the directory. Three
/// other bytes are locks, which the kernel releases when a process dies:
/// - the *turn* is held by the writer, and the *turnstile* by the next one: SQLite's own lock is
///   not fair, and a process that commits without a pause would always get it;
/// - the *lease* is held by all processes that have the database open, so that the last one can
///   detect it.
///
/// Only fairness and speed depend on it: if it cannot be created or locked, SQLite's lock still
/// works, and the write-ahead log is watched too.
package final class SQLiteNotifyFile: Sendable {
  private static let turnstile: off_t = 0
  private static let turn: off_t = 1
  private static let lease: off_t = 2
  private static let notice: off_t = 3
  /// The same as SQLite's busy timeout.
  private static let patience = Duration.seconds(5)

  private let path: String
  /// Whether an existing file is opened for the lease only, and none is created.
  private let isReadOnly: Bool
  /// The descriptor; negative while the file cannot be opened.
  private let descriptor = Lock<Int32>(-1)

  package init(path: String, isReadOnly: Bool = false) {
    self.path = path
    self.isReadOnly = isReadOnly
  }

  deinit { close() }

  /// Closes the file and gives up the lease, until it is opened again.
  package func close() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { Glibc.close(descriptor) }
      descriptor = -1
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
      }
      descriptor = isReadOnly ? -1 : Descriptors.openOrCreate(path, O_RDWR)
      if descriptor < 0 { descriptor = Descriptors.open(path, O_RDONLY | O_NOFOLLOW) }
      if descriptor >= 0 { _ = pantry_lock_byte(descriptor, Int16(F_RDLCK), Self.lease) }
    }
  }

  /// Waits for the turn to write, after earlier waiters; call ``endTurn()`` in any case.
  ///
  /// - Returns: whether to wait for SQLite's own lock: not if another process has held the turn for
  ///   5 seconds, which is the whole timeout.
  package func takeTurn() -> Bool {
    openIfNeeded()
    let descriptor = descriptor.withLock(\.self)
    guard descriptor >= 0 else { return true }
    var wait = LockWait(patience: Self.patience)
    if lock(Self.turnstile, of: descriptor, &wait) {
      _ = lock(Self.turn, of: descriptor, &wait)
      unlock(Self.turnstile, of: descriptor)
    }
    return !wait.isOver
  }

  package func endTurn() {
    let descriptor = descriptor.withLock(\.self)
    if descriptor >= 0 { unlock(Self.turn, of: descriptor) }
  }

  package func notify() {
    let descriptor = descriptor.withLock(\.self)
    var byte: UInt8 = 0
    // A failed write is harmless: the log is watched too.
    if descriptor >= 0 { _ = pwrite(descriptor, &byte, 1, Self.notice) }
  }

  /// Whether another process of Pantry is writing, which will notify of it.
  package var othersAreWriting: Bool { isLocked(Self.turn) }

  /// Whether another process waits for the end of a turn.
  package var hasWaiter: Bool { isLocked(Self.turnstile) }

  /// Whether no other process has the database open; false if unknown.
  package var isAlone: Bool {
    descriptor.withLock { $0 >= 0 && pantry_byte_is_locked($0, Self.lease) == 0 }
  }

  /// Returns whether any process has the database of the file at `path` open; true if unknown.
  package static func isOpen(at path: String) -> Bool {
    let descriptor = Descriptors.open(path, O_RDONLY | O_NOFOLLOW)
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { Glibc.close(descriptor) }
    return pantry_byte_is_locked(descriptor, lease) != 0
  }

  /// Returns whether nothing can be locked on the file system of the file at `path`; false if
  /// unknown.
  static func lacksLocks(at path: String) -> Bool {
    let descriptor = Descriptors.open(path, O_RDONLY | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    return pantry_byte_is_locked(descriptor, lease) < 0 && errno == ENOLCK
  }

  private func isLocked(_ byte: off_t) -> Bool {
    let descriptor = descriptor.withLock(\.self)
    return descriptor >= 0 && pantry_byte_is_locked(descriptor, byte) == 1
  }

  private func lock(_ byte: off_t, of descriptor: Int32, _ wait: inout LockWait) -> Bool {
    while pantry_lock_byte(descriptor, Int16(F_WRLCK), byte) != 0 {
      guard errno == EAGAIN || errno == EACCES || errno == EINTR, wait.pass() else { return false }
    }
    return true
  }

  private func unlock(_ byte: off_t, of descriptor: Int32) {
    _ = pantry_lock_byte(descriptor, Int16(F_UNLCK), byte)
  }
}
