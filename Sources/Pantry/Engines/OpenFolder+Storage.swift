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

  var identity: FileIdentity {
    var status = stat()
    // Not of a path: an open descriptor has a status.
    fstat(descriptor, &status)
    return FileIdentity(status)
  }
}
