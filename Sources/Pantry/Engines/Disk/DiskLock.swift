internal import Glibc

/// The lock that each process on a directory takes for as long as it reads or writes the files.
///
/// flock(2) gives it to whoever asks next, and one that commits without a pause would always be that.
/// So whoever waits has the turn meanwhile, for which the others wait.
struct DiskLock {
  private let folder: OpenFolder
  private(set) var file: LockFile

  init(_ folder: OpenFolder) throws {
    self.folder = folder
    file = try folder.openLockFile(DiskFileName.lock)
  }

  /// Takes the lock.
  ///
  /// - Throws: ``StorageError/inUse(path:)`` when `patience` ends: a stopped process must not stop us.
  mutating func take(_ access: LockFile.Access, patience: Duration) throws {
    var wait = Wait(patience: patience)
    while try !folder.takeTurn() { try pass(&wait) }
    defer { folder.giveTurn() }
    while true {
      while try !file.tryLock(access) { try pass(&wait) }
      // One that somebody has removed keeps nobody out.
      if try folder.identity(of: DiskFileName.lock) == file.identity { return }
      file.unlock()
      file = try folder.openLockFile(DiskFileName.lock)
    }
  }

  func release() { file.unlock() }

  private func pass(_ wait: inout Wait) throws {
    guard wait.pass() else { throw StorageError.inUse(path: folder.path) }
  }
}

/// The pauses between attempts, which grow, until patience ends.
private struct Wait {
  private static let longestPause: UInt32 = 1_000

  let patience: Duration
  private var end: ContinuousClock.Instant?
  /// In microseconds.
  private var pause: UInt32 = 50

  init(patience: Duration) { self.patience = patience }

  /// Pauses; false if there has been time enough.
  mutating func pass() -> Bool {
    let now = ContinuousClock.now
    let end = end ?? now + patience
    self.end = end
    guard now < end else { return false }
    usleep(pause)  // on the engine's own queue, which is there to wait
    pause = min(pause * 2, Self.longestPause)
    return true
  }
}
