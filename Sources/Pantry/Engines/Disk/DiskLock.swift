/// The lock that each process on a directory holds while it reads or writes the files.
///
/// flock(2) is not fair: a process that commits without a pause would always get the lock again. So
/// a waiting process holds the turn, for which the others wait.
///
/// In a read-only directory, an existing lock file is locked for reading. Without one there is no
/// lock, and each call compares all files.
struct DiskLock {
  private let folder: OpenFolder
  /// The lock file; nil if there is none, and none can be created.
  private(set) var file: LockFile?

  init(_ folder: OpenFolder) throws {
    self.folder = folder
    file = try Self.file(in: folder)
  }

  /// Takes the lock.
  ///
  /// - Throws: ``StorageError/inUse(path:)`` when `patience` ends: a suspended process must not
  ///   block us.
  mutating func take(_ access: LockFile.Access, patience: Duration) throws {
    var wait = LockWait(patience: patience)
    while try !folder.takeTurn() { try pass(&wait) }
    defer { folder.endTurn() }
    // The directory may have become writable.
    if file?.isWritable != true, folder.isWritable { file = try Self.file(in: folder) }
    while true {
      while let file, try !file.tryLock(access) { try pass(&wait) }
      // The lock on a removed file excludes nobody.
      if try folder.identity(of: DiskFileName.lock) == file?.identity { return }
      file?.unlock()
      file = try Self.file(in: folder)
    }
  }

  func release() { file?.unlock() }

  private static func file(in folder: OpenFolder) throws -> LockFile? {
    try folder.isWritable
      ? folder.openLockFile(DiskFileName.lock)
      : folder.openLockFileForReading(DiskFileName.lock)
  }

  private func pass(_ wait: inout LockWait) throws {
    guard wait.pass() else { throw StorageError.inUse(path: folder.path) }
  }
}
