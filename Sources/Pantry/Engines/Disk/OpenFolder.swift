internal import CPantryFileSystem
internal import FoundationEssentials
internal import Glibc

/// A change about to be made to the disk; tests make one fail.
enum FolderChange: Sendable {
  case write(String)
  case flush
  case rename(String)
  case remove(String)
}

/// An open directory, and every system call that the Disk engine makes in it.
///
/// Names are resolved within the open directory, so no call can leave it as long as names have no
/// slash.
final class OpenFolder: Sendable {
  let path: String
  /// The identity of the directory, whatever its path.
  let identity: FileIdentity
  /// Whether nothing may be written to it.
  let isReadOnly: Bool
  /// Called before each change; an error it throws replaces the change.
  private let beforeChange: (@Sendable (FolderChange) throws -> Void)?
  private let descriptor: Int32

  /// Opens `directory`, creating it with mode 0700 if necessary, unless it is read-only.
  convenience init(
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
    try self.init(path: path, isReadOnly: isReadOnly, beforeChange: beforeChange)
  }

  private init(
    path: String, isReadOnly: Bool, beforeChange: (@Sendable (FolderChange) throws -> Void)?
  ) throws {
    let descriptor = Descriptors.openDirectory(path)
    guard descriptor >= 0 else { throw DiskError(operation: .open, path: path, code: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      defer { close(descriptor) }
      throw DiskError(operation: .open, path: path, code: errno)
    }
    self.path = path
    self.isReadOnly = isReadOnly
    self.descriptor = descriptor
    self.beforeChange = beforeChange
    identity = FileIdentity(status)
  }

  deinit { close(descriptor) }

  /// Opens the directory now at the path.
  func reopened() throws -> OpenFolder {
    try OpenFolder(path: path, isReadOnly: isReadOnly, beforeChange: beforeChange)
  }

  /// Whether files may be created in it, and the permissions allow it now.
  var isWritable: Bool { !isReadOnly && faccessat(descriptor, ".", W_OK | X_OK, 0) == 0 }

  /// The path of an entry of the directory, for messages.
  func path(of name: String) -> String {
    path.hasSuffix("/") ? path + name : path + "/" + name
  }

  /// Lists the names in the directory, in no particular order, without `.` and `..`.
  func names() throws -> [String] {
    // A separate descriptor: the position in a directory belongs to the open file description.
    let listed = try check(.list) {
      Descriptors.openDirectory(".", in: descriptor)
    }
    guard let stream = fdopendir(listed) else {
      defer { close(listed) }
      throw DiskError(operation: .list, path: path, code: errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno == 0 { return names }
        throw DiskError(operation: .list, path: path, code: errno)
      }
      // A name that is not UTF-8 is repaired here, and so matches none of ours.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  /// Returns the stamp of the directory: different after each change of its names.
  func stamp() throws -> FileStamp {
    var status = stat()
    try check(.list) { fstat(descriptor, &status) }
    return FileStamp(status)
  }

  /// Returns the stamp of a file; nil if there is none of that name.
  func stamp(of name: String) throws -> FileStamp? { try status(name).map { FileStamp($0) } }

  /// Returns the identity of the file called `name`; nil if there is none.
  func identity(of name: String) throws -> FileIdentity? {
    try status(name).map(FileIdentity.init)
  }

  private func status(_ name: String) throws -> stat? {
    var status = stat()
    let found = try unlessAbsent(.read, name) {
      fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW)
    }
    return found == nil ? nil : status
  }

  // MARK: Locking

  /// Takes the lock on the directory itself, if it is free.
  func takeTurn() throws -> Bool {
    do {
      try check(.lock) { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch let error as DiskError {
      // Where a directory cannot be locked, as on NFS, locking is less fair.
      return error.code != EWOULDBLOCK
    }
  }

  func endTurn() { _ = flock(descriptor, LOCK_UN) }

  /// Opens the file called `name` for repeated locking, creating it if necessary.
  func openLockFile(_ name: String) throws -> LockFile {
    let file = try check(.lock, name) {
      Descriptors.openOrCreate(name, O_RDWR, in: descriptor)
    }
    return try LockFile(descriptor: file, path: path(of: name)) { [beforeChange] in
      try beforeChange?(.write(name))
    }
  }

  /// Opens the file called `name` for read locks, or returns nil if there is none.
  func openLockFileForReading(_ name: String) throws -> LockFile? {
    let file = try unlessAbsent(.lock, name) {
      Descriptors.open(name, O_RDONLY | O_NOFOLLOW, in: descriptor)
    }
    return try file.map {
      try LockFile(descriptor: $0, path: path(of: name), isWritable: false) {}
    }
  }

  // MARK: Files

  /// Opens a file for reading, or returns nil if there is none of that name.
  func open(_ name: String) throws -> OpenFile? {
    let file = try unlessAbsent(.open, name) {
      Descriptors.open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, in: descriptor)
    }
    guard let file else { return nil }
    return OpenFile(descriptor: file, path: path(of: name))
  }

  /// Writes a new file with mode 0600 and the bytes of `pieces`, and flushes it if asked to.
  @discardableResult
  func write(_ pieces: [Data], to name: String, flushing: Bool) throws -> FileStamp {
    try beforeChange?(.write(name))
    let file = try check(.write, name) {
      Descriptors.openOrCreate(name, O_WRONLY | O_TRUNC, in: descriptor)
    }
    defer { close(file) }
    for piece in pieces {
      for region in piece.regions {
        try region.withUnsafeBytes { bytes in
          var rest = bytes[...]
          while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = try check(.write, name) { Glibc.write(file, part.baseAddress, part.count) }
            rest = rest.dropFirst(count)
          }
        }
      }
    }
    if flushing {
      try beforeChange?(.flush)
      try check(.flush, name) { fsync(file) }
    }
    var status = stat()
    try check(.write, name) { fstat(file, &status) }
    return FileStamp(status)
  }

  /// Renames a file over another; false if there is no file of the old name.
  @discardableResult
  func rename(_ old: String, to new: String) throws -> Bool {
    try beforeChange?(.rename(new))
    return try unlessAbsent(.rename, new) { renameat(descriptor, old, descriptor, new) } != nil
  }

  /// Removes a file; nothing happens if there is none of that name.
  func remove(_ name: String) throws {
    try beforeChange?(.remove(name))
    _ = try unlessAbsent(.remove, name) { unlinkat(descriptor, name, 0) }
  }

  /// Flushes the directory's names to the disk.
  func flush() throws {
    try beforeChange?(.flush)
    try check(.flush) { fsync(descriptor) }
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
  private func check<Result: SignedInteger>(
    _ operation: DiskError.Operation, _ name: String? = nil, _ call: () -> Result
  ) throws -> Result {
    try DiskError.check(operation, name.map { path(of: $0) } ?? path, call)
  }
}

extension DiskError {
  /// Makes a system call, retries it if interrupted by a signal, and converts -1 to an error.
  @discardableResult
  static func check<Result: SignedInteger>(
    _ operation: Operation, _ path: String, _ call: () -> Result
  ) throws -> Result {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw DiskError(operation: operation, path: path, code: code) }
    }
  }
}
