internal import CPantryFileSystem
package import FoundationEssentials
internal import Glibc

/// A change about to be made to the disk; tests make one fail.
package enum FolderChange: Sendable {
  case write(String)
  case flush
  case rename(String)
  case remove(String)
}

/// An open directory, and the system calls that are made in it.
///
/// Names are resolved within the open directory, so no call can leave it as long as names have no
/// slash.
package final class OpenFolder: Sendable {
  package let path: String
  /// Called before each change; an error it throws replaces the change.
  package let beforeChange: (@Sendable (FolderChange) throws -> Void)?
  package let descriptor: Int32

  /// Opens the directory at `path`.
  package convenience init(
    _ path: String, beforeChange: (@Sendable (FolderChange) throws -> Void)? = nil
  ) throws(FileError) {
    let descriptor = Descriptors.openDirectory(path)
    guard descriptor >= 0 else { throw FileError(.open, path, code: errno) }
    self.init(descriptor, path: path, beforeChange: beforeChange)
  }

  /// Opens the directory of a file that is to be written at `path`, which errors are about.
  package convenience init(parentOf path: String) throws(FileError) {
    let slash = path.lastIndex(of: "/")
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = Descriptors.openDirectory(parent)
    guard descriptor >= 0 else { throw FileError(.write, path, code: errno) }
    self.init(descriptor, path: parent, beforeChange: nil)
  }

  /// Returns the last name in a path.
  package static func name(in path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  private init(
    _ descriptor: Int32, path: String, beforeChange: (@Sendable (FolderChange) throws -> Void)?
  ) {
    self.path = path
    self.descriptor = descriptor
    self.beforeChange = beforeChange
  }

  deinit { close(descriptor) }

  /// Whether the permissions allow it now to create files in it.
  package var isWritable: Bool { faccessat(descriptor, ".", W_OK | X_OK, 0) == 0 }

  /// Lists the names in the directory, in no particular order.
  package func names() throws(FileError) -> [String] {
    // A separate descriptor: the position in a directory belongs to the open file description.
    let listed = Descriptors.openDirectory(".", in: descriptor)
    guard let names = DirectoryNames.read(listed) else {
      throw FileError(.list, path, code: errno)
    }
    return names
  }

  /// The path of an entry of the directory, for messages.
  package func path(of name: String) -> String {
    path.hasSuffix("/") ? path + name : path + "/" + name
  }

  /// Returns whether there is an entry of that name.
  package func has(_ name: String) throws(FileError) -> Bool {
    var status = stat()
    return try unlessAbsent(.read, name) {
      fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW)
    } != nil
  }

  /// Opens a file for reading, or returns nil if there is none of that name.
  package func open(_ name: String) throws(FileError) -> OpenFile? {
    let file = try unlessAbsent(.open, name) {
      Descriptors.open(name, O_RDONLY | O_NOFOLLOW, in: descriptor)
    }
    return file.map { OpenFile(descriptor: $0, path: path(of: name)) }
  }

  /// Writes a new file of mode 0600 with the bytes of `pieces`, and flushes it if asked to.
  package func write(_ pieces: [Data], to name: String, flushing: Bool) throws {
    try beforeChange?(.write(name))
    let created = try check(.write, name) {
      Descriptors.openOrCreate(name, O_WRONLY | O_TRUNC, in: descriptor)
    }
    let file = OpenFile(descriptor: created, path: path(of: name))
    for piece in pieces { try file.write(piece) }
    if flushing {
      try beforeChange?(.flush)
      try file.flush()
    }
  }

  /// Renames a file over another; false if there is no file of the old name.
  @discardableResult
  package func rename(_ old: String, to new: String) throws -> Bool {
    try beforeChange?(.rename(new))
    return try unlessAbsent(.rename, new) { renameat(descriptor, old, descriptor, new) } != nil
  }

  /// Writes a file durably, except for its name, under a temporary name and then under its own.
  ///
  /// After an error, at most the temporary file is left.
  package func replace(_ name: String, through temporary: String, with data: Data) throws {
    let file = try NewFile(name, in: self, through: temporary)
    try file.write(data)
    try file.flush()
    try file.publish()
  }

  /// Gives a finished file its name.
  ///
  /// - Parameter replacing: whether a file of that name is replaced; otherwise it is an error
  ///   (`EEXIST`).
  package func publish(_ temporary: String, as name: String, replacing: Bool) throws {
    try beforeChange?(.rename(name))
    // link(2) replaces nothing.
    if !replacing, linkat(descriptor, temporary, descriptor, name, 0) == 0 {
      unlinkat(descriptor, temporary, 0)
      return
    }
    if !replacing { try reserve(name) }
    do {
      try check(.write, name) { renameat(descriptor, temporary, descriptor, name) }
    } catch {
      if !replacing { unlinkat(descriptor, name, 0) }
      throw error
    }
  }

  /// Takes a name by an empty file where there are no hard links, as on FAT.
  private func reserve(_ name: String) throws(FileError) {
    close(try check(.write, name) { Descriptors.create(name, O_WRONLY, in: descriptor) })
  }

  /// Removes a file; nothing happens if there is none of that name.
  package func remove(_ name: String) throws {
    try beforeChange?(.remove(name))
    _ = try unlessAbsent(.remove, name) { unlinkat(descriptor, name, 0) }
  }

  /// Flushes the directory's names to the disk, where its file system flushes directories.
  package func flush() throws {
    try beforeChange?(.flush)
    do throws(FileError) {
      try check(.flush) { fsync(descriptor) }
    } catch {
      guard [EINVAL, ENOTSUP].contains(error.code) else { throw error }
    }
  }

  /// Flushes all writes to this file system to the disk.
  ///
  /// One call for many files: flushing 10,000 one by one would take many seconds. It reports write
  /// errors since Linux 5.8 (man 2 syncfs).
  package func flushFileSystem() throws {
    try beforeChange?(.flush)
    try check(.flush) { syncfs(descriptor) }
  }

  /// Makes a system call; nil if the name does not exist.
  private func unlessAbsent(
    _ operation: FileError.Operation, _ name: String, _ call: () -> Int32
  ) throws(FileError) -> Int32? {
    do throws(FileError) {
      return try check(operation, name, call)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  @discardableResult
  package func check<Result: SignedInteger>(
    _ operation: FileError.Operation, _ name: String? = nil, _ call: () -> Result
  ) throws(FileError) -> Result {
    try FileError.check(operation, name.map { path(of: $0) } ?? path, call)
  }
}
