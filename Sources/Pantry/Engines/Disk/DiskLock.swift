/// The lock that each process on a directory takes for as long as it reads or writes the files.
///
/// flock(2) gives it to whoever asks next, and one that commits without a pause would always be
/// that. So whoever waits has the turn meanwhile, for which the others wait.
struct DiskLock {
  private let folder: OpenFolder
  private(set) var file: LockFile

  init(_ folder: OpenFolder) throws {
    self.folder = folder
    file = try folder.openLockFile(DiskFileName.lock)
  }

  /// Takes the lock.
  ///
  /// - Throws: ``StorageError/inUse(path:)`` when `patience` ends: a stopped process must not stop
  ///   us.
  mutating func take(_ access: LockFile.Access, patience: Duration) throws {
    var wait = LockWait(patience: patience)
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

  private func pass(_ wait: inout LockWait) throws {
    guard wait.pass() else { throw StorageError.inUse(path: folder.path) }
  }
}
