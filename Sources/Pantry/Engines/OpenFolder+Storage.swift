internal import Glibc
internal import SystemSupport

extension OpenFolder {
  /// Opens `directory`, creating it with mode 0700 if necessary, unless it is read-only.
  convenience init(
    _ directory: StorageDirectory, isReadOnly: Bool = false,
    beforeChange: (@Sendable (FolderChange) throws -> Void)? = nil
  ) throws {
    let path = directory.path
    try PathText.requireUsable(path)
    if !isReadOnly {
      try directory.create()
    } else if FileIdentity.isAbsent(path) {
      throw StorageError.nothingToRead(path: path)
    }
    try self.init(path, beforeChange: beforeChange)
  }

  /// Runs `body` while no other process does this with the folder, or throws
  /// ``StorageError/inUse(path:)`` if one has it for 5 seconds without a change of its entries.
  func locked<Result>(_ body: () throws -> Result) throws -> Result {
    var wait = LockWait(patience: .seconds(5))
    // Where the file system has no locks, nothing can be done about it.
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      guard wait.pass(seeing: [FileStamp(path: path)]) else { throw StorageError.inUse(path: path) }
    }
    defer { _ = flock(descriptor, LOCK_UN) }
    return try body()
  }

  var identity: FileIdentity {
    var status = stat()
    // Not of a path: an open descriptor has a status.
    fstat(descriptor, &status)
    return FileIdentity(status)
  }
}
