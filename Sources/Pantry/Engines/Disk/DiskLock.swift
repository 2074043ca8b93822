internal import Glibc

/// The lock that each process on a directory holds while it reads or writes the files.
///
/// flock(2) is not fair: a process that commits without a pause would always get the lock again. So
/// a waiting process holds the turn, a lock on the directory itself, for which the others wait.
///
/// In a read-only directory, an existing lock file is locked for reading. Without one there is no
/// lock.
struct DiskLock {
  private static let name = "lock"

  let folder: OpenFolder
  /// The lock file, while it is locked.
  private var file: OpenFile?

  init(_ folder: OpenFolder) { self.folder = folder }

  /// Takes the lock, which readers share.
  ///
  /// - Throws: ``StorageError/inUse(path:)`` when `patience` ends: a suspended process must not
  ///   block us.
  mutating func take(forWriting: Bool, patience: Duration) throws {
    var wait = LockWait(patience: patience)
    // Where a directory cannot be locked, as on NFS, locking is less fair.
    while flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      guard wait.pass() else { throw StorageError.inUse(path: folder.path) }
    }
    defer { _ = flock(folder.descriptor, LOCK_UN) }
    repeat {
      file = try open()
      while let file, flock(file.descriptor, (forWriting ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
        guard errno == EWOULDBLOCK || errno == EINTR else {
          throw DiskError(operation: .lock, path: file.path, code: errno)
        }
        guard wait.pass() else { throw StorageError.inUse(path: folder.path) }
      }
      // The lock on a removed file excludes nobody.
    } while try folder.status(Self.name).map { FileIdentity($0) }
      != file.map { FileIdentity(try $0.status()) }
  }

  private func open() throws -> OpenFile? {
    guard folder.isWritable else { return try folder.open(Self.name) }
    do {
      return try folder.create(Self.name, O_RDWR)
    } catch let error as DiskError where error.code == EACCES {
      // Another user's can be locked, too, unless NFS wants to write (man 2 flock).
      return try folder.open(Self.name)
    }
  }

  mutating func release() {
    // Explicitly, since a child process being spawned may hold a copy of the descriptor.
    if let file { _ = flock(file.descriptor, LOCK_UN) }
    file = nil
  }

  /// Ends the log of changes that programs with Pantry 0.2.0 keep in the lock file, and trust as
  /// long as it is there; to be called before each change.
  func endFormerLog() throws {
    guard let file, try file.status().st_size > 0 else { return }
    try folder.write([], to: Self.name, flushing: false)
  }
}
