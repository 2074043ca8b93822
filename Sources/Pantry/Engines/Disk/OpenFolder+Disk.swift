internal import CPantryFileSystem
internal import Glibc

/// The system calls that only the Disk engine makes.
extension OpenFolder {
  /// Whether files may be created in it, and the permissions allow it now.
  var isWritable: Bool { !isReadOnly && faccessat(descriptor, ".", W_OK | X_OK, 0) == 0 }

  /// Lists the names in the directory, in no particular order.
  func names() throws -> [String] {
    // A separate descriptor: the position in a directory belongs to the open file description.
    let listed = Descriptors.openDirectory(".", in: descriptor)
    guard let names = DirectoryNames.read(listed) else {
      throw DiskError(operation: .list, path: path, code: errno)
    }
    return names
  }

  /// Returns the stamp of a file; nil if there is none of that name.
  func stamp(of name: String) throws -> FileStamp? { try status(name).map { FileStamp($0) } }

  /// Flushes all writes to this file system to the disk.
  ///
  /// One call for many files: flushing 10,000 one by one would take many seconds. It reports write
  /// errors since Linux 5.8 (man 2 syncfs).
  func flushFileSystem() throws {
    try beforeChange?(.flush)
    try check(.flush) { syncfs(descriptor) }
  }
}
