internal import CPantryFileSystem
internal import Glibc
internal import Synchronization

/// The small file beside a database by which the processes that use it come to terms.
///
/// A byte is written to it after each commit, which wakes those who watch the directory. Three
/// others are locked, and the kernel lets go of the locks of a process that dies:
/// - the *turn* by whoever writes, and the *turnstile* by who is next: SQLite's own lock goes to
///   whoever asks at the right moment, which one that commits without a pause always is;
/// - the *lease* by all who have the database open, so that the last one knows that it is the last.
///
/// Nothing depends on it but fairness and speed: where it cannot be made or locked, SQLite's lock
/// is there, and the write-ahead log is watched too.
final class SQLiteNotifyFile: Sendable {
  private static let turnstile: off_t = 0
  private static let turn: off_t = 1
  private static let lease: off_t = 2
  private static let notice: off_t = 3
  /// As long as SQLite waits for its own lock.
  private static let patience = Duration.seconds(5)

  private let path: String
  /// Whether an existing file is opened for its lease alone, and none is created.
  private let isReadOnly: Bool
  /// Negative while it cannot be opened.
  private let descriptor = Mutex<Int32>(-1)

  init(path: String, isReadOnly: Bool = false) {
    self.path = path
    self.isReadOnly = isReadOnly
  }

  deinit {
    descriptor.withLock { if $0 >= 0 { close($0) } }
  }

  /// Opens the file, and takes the lease; does nothing if that has been done.
  ///
  /// Call it on the writer's queue, where the descriptor is used.
  func openIfNeeded() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 {
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return }
        // Somebody has removed it: the others have another one.
        close(descriptor)
      }
      let flags = O_CLOEXEC | O_NOFOLLOW
      descriptor = isReadOnly ? -1 : open(path, O_RDWR | O_CREAT | flags, 0o600)
      if descriptor < 0 { descriptor = open(path, O_RDONLY | flags) }
      if descriptor >= 0 { _ = pantry_lock_byte(descriptor, Int16(F_RDLCK), Self.lease) }
    }
  }

  /// Waits for the turn to write, after those who have asked before; ``endTurn()`` is called in any
  /// case.
  ///
  /// - Returns: whether SQLite's own lock is to be waited for: not if another process has had the
  ///   turn for 5 seconds, since that has been long enough.
  func takeTurn() -> Bool {
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

  /// Lets the next one write.
  func endTurn() {
    let descriptor = descriptor.withLock(\.self)
    if descriptor >= 0 { unlock(Self.turn, of: descriptor) }
  }

  /// Tells the other processes that something was committed.
  func notify() {
    let descriptor = descriptor.withLock(\.self)
    var byte: UInt8 = 0
    // If it cannot be written, the log is watched too.
    if descriptor >= 0 { _ = pwrite(descriptor, &byte, 1, Self.notice) }
  }

  /// Whether another process of Pantry is writing, which will tell of it.
  var othersAreWriting: Bool { isLocked(Self.turn) }

  /// Whether another process waits for the end of a turn.
  var hasWaiter: Bool { isLocked(Self.turnstile) }

  /// Whether no other process has the database open; false where it cannot be told.
  var isAlone: Bool {
    let descriptor = descriptor.withLock(\.self)
    return descriptor >= 0 && pantry_byte_is_locked(descriptor, Self.lease) == 0
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
