internal import Glibc
internal import SystemSupport

/// Creates directories for files that are kept.
package enum Directories {
  /// Creates the directory at `path` and its parents, with mode 0700, if it does not exist.
  ///
  /// It flushes what it has created: a power failure could take it, and all that is in it.
  ///
  /// - Throws: `StorageError.cannotCreate` with the path of the obstacle; `unusablePath`.
  package static func create(_ path: String) throws(StorageError) {
    try PathText.requireUsable(path)
    try createWithParents(path)
  }

  private static func createWithParents(_ path: String) throws(StorageError) {
    let parent = FileLocation(path).directory
    if Descriptors.createDirectory(path) == 0 { return try flush(path, in: parent) }
    var code = errno
    if code == ENOENT, parent != path, !isDirectory(parent) {
      try createWithParents(parent)
      if Descriptors.createDirectory(path) == 0 { return try flush(path, in: parent) }
      code = errno
    }
    switch code {
    // EROFS and EACCES too may be reported for an existing directory.
    case _ where isDirectory(path): return
    case EEXIST where FileLocation(followingLinksFrom: path).path != path:
      // A link that leads nowhere yet.
      try createWithParents(FileLocation(followingLinksFrom: path).path)
    case EEXIST: throw .cannotCreate(path: path, reason: SystemError(code: ENOTDIR).description)
    case ENOTDIR: throw .cannotCreate(path: path, reason: "part of its path is a file")
    // Its parent exists: the kernel creates the entries of /proc and /sys.
    case ENOENT: throw .cannotCreate(path: path, reason: "its file system has no directories")
    default: throw .cannotCreate(path: path, reason: SystemError(code: code).description)
    }
  }

  /// Flushes the name of a new directory, or removes it, so that another attempt flushes it.
  private static func flush(_ path: String, in parent: String) throws(StorageError) {
    let descriptor = Descriptors.openDirectory(parent)
    defer { if descriptor >= 0 { close(descriptor) } }
    while descriptor < 0 || fsync(descriptor) != 0 {
      switch errno {
      case EINTR where descriptor >= 0: continue
      // A parent that cannot be read, or a file system that flushes no directories.
      case EACCES, EINVAL, ENOTSUP: return
      case let code:
        rmdir(path)
        throw .cannotCreate(path: path, reason: SystemError(code: code).description)
      }
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
