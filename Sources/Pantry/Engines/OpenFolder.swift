internal import CPantryFileSystem
internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// A change about to be made to the disk; tests make one fail.
enum FolderChange: Sendable {
  case write(String)
  case flush
  case rename(String)
  case remove(String)
}

/// An open directory, and the system calls that the Disk engine and the values make in it.
///
/// Names are resolved within the open directory, so no call can leave it as long as names have no
/// slash.
final class OpenFolder: Sendable {
  let path: String
  let identity: FileIdentity
  /// Called before each change; an error it throws replaces the change.
  let beforeChange: (@Sendable (FolderChange) throws -> Void)?
  let descriptor: Int32

  /// Opens `directory`, creating it with mode 0700 if necessary, unless it is read-only.
  init(
    _ directory: StorageDirectory, isReadOnly: Bool = false,
    beforeChange: (@Sendable (FolderChange) throws -> Void)? = nil
  ) throws {
    let path = directory.path
    try StorageDirectory.requireUsable(path)
    if !isReadOnly {
      try directory.create()
    } else if FileIdentity.isAbsent(path) {
      throw StorageError.nothingToRead(path: path)
    }
    let descriptor = Descriptors.openDirectory(path)
    guard descriptor >= 0 else { throw DiskError(operation: .open, path: path, code: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      defer { close(descriptor) }
      throw DiskError(operation: .open, path: path, code: errno)
    }
    self.path = path
    self.descriptor = descriptor
    self.beforeChange = beforeChange
    identity = FileIdentity(status)
  }

  deinit { close(descriptor) }

  /// Whether the permissions allow it now to create files in it.
  var isWritable: Bool { faccessat(descriptor, ".", W_OK | X_OK, 0) == 0 }

  /// Lists the names in the directory, in no particular order.
  func names() throws -> [String] {
    // A separate descriptor: the position in a directory belongs to the open file description.
    let listed = Descriptors.openDirectory(".", in: descriptor)
    guard let names = DirectoryNames.read(listed) else {
      throw DiskError(operation: .list, path: path, code: errno)
    }
    return names
  }

  /// The path of an entry of the directory, for messages.
  func path(of name: String) -> String {
    path.hasSuffix("/") ? path + name : path + "/" + name
  }

  /// Returns what the system knows of an entry; nil if there is none of that name.
  func status(_ name: String) throws -> stat? {
    var status = stat()
    let found = try unlessAbsent(.read, name) {
      fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW)
    }
    return found == nil ? nil : status
  }

  /// Opens a file for reading, or returns nil if there is none of that name.
  func open(_ name: String) throws -> OpenFile? {
    let file = try unlessAbsent(.open, name) {
      Descriptors.open(name, O_RDONLY | O_NOFOLLOW, in: descriptor)
    }
    return file.map { OpenFile(descriptor: $0, path: path(of: name)) }
  }

  /// Writes a new file of mode 0600 with the bytes of `pieces`, and flushes it if asked to.
  func write(_ pieces: [Data], to name: String, flushing: Bool) throws {
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
  func rename(_ old: String, to new: String) throws -> Bool {
    try beforeChange?(.rename(new))
    return try unlessAbsent(.rename, new) { renameat(descriptor, old, descriptor, new) } != nil
  }

  /// Writes a file durably, except for its name, under a temporary name and then under its own.
  ///
  /// After an error, at most the temporary file is left.
  func replace(_ name: String, through temporary: String, with data: Data) throws {
    do {
      try write([data], to: temporary, flushing: true)
      try rename(temporary, to: name)
    } catch {
      try? remove(temporary)  // what is left is never read
      throw error
    }
  }

  /// Removes a file; nothing happens if there is none of that name.
  func remove(_ name: String) throws {
    try beforeChange?(.remove(name))
    _ = try unlessAbsent(.remove, name) { unlinkat(descriptor, name, 0) }
  }

  /// Flushes the directory's names to the disk, where its file system flushes directories.
  func flush() throws {
    try beforeChange?(.flush)
    do {
      try check(.flush) { fsync(descriptor) }
    } catch let error as DiskError where [EINVAL, ENOTSUP].contains(error.code) {}
  }

  /// Flushes all writes to this file system to the disk.
  ///
  /// One call for many files: flushing 10,000 one by one would take many seconds. It reports write
  /// errors since Linux 5.8 (man 2 syncfs).
  func flushFileSystem() throws {
    try beforeChange?(.flush)
    try check(.flush) { syncfs(descriptor) }
  }

  /// Makes a system call; nil if the name does not exist.
  private func unlessAbsent(
    _ operation: DiskError.Operation, _ name: String, _ call: () -> Int32
  ) throws -> Int32? {
    do {
      return try check(operation, name, call)
    } catch let error as DiskError where error.code == ENOENT {
      return nil
    }
  }

  @discardableResult
  func check<Result: SignedInteger>(
    _ operation: DiskError.Operation, _ name: String? = nil, _ call: () -> Result
  ) throws -> Result {
    try DiskError.check(operation, name.map { path(of: $0) } ?? path, call)
  }
}
