internal import FoundationEssentials
internal import Glibc

/// The open lock file of a directory, which also holds the log of changes.
final class LockFile: Sendable {
  /// The kind of access to the directory.
  enum Access {
    /// Shared with other readers.
    case reading
    case writing
  }

  let identity: FileIdentity
  let isWritable: Bool
  private let descriptor: Int32
  private let file: OpenFile
  private let path: String
  private let beforeWrite: @Sendable () throws -> Void

  /// - Parameter beforeWrite: called before each change; an error it throws replaces the change.
  init(
    descriptor: Int32, path: String, isWritable: Bool = true,
    beforeWrite: @escaping @Sendable () throws -> Void
  ) throws {
    file = OpenFile(descriptor: descriptor, path: path)
    self.descriptor = descriptor
    self.path = path
    self.isWritable = isWritable
    self.beforeWrite = beforeWrite
    var status = stat()
    try DiskError.check(.open, path) { fstat(descriptor, &status) }
    identity = FileIdentity(status)
  }

  /// Takes the lock if it is free.
  func tryLock(_ access: Access) throws -> Bool {
    let operation = access == .reading ? LOCK_SH : LOCK_EX
    do {
      try DiskError.check(.lock, path) { flock(descriptor, operation | LOCK_NB) }
      return true
    } catch let error as DiskError where error.code == EWOULDBLOCK {
      return false
    }
  }

  func unlock() {
    // Explicitly, since a child process being spawned may hold a copy of the descriptor.
    _ = flock(descriptor, LOCK_UN)
  }

  func byteCount() throws -> Int { try file.byteCount() ?? 0 }

  /// Reads at most `count` bytes from `offset`.
  func read(_ count: Int, at offset: Int) throws -> Data { try file.read(count, at: offset) }

  func write(_ data: Data, at offset: Int) throws {
    try beforeWrite()
    try data.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let part = UnsafeRawBufferPointer(rebasing: bytes[written...])
        written += try DiskError.check(.write, path) {
          pwrite(descriptor, part.baseAddress, part.count, off_t(offset + written))
        }
      }
    }
  }

  /// Truncates the file to zero bytes.
  func clear() throws {
    try beforeWrite()
    try DiskError.check(.write, path) { ftruncate(descriptor, 0) }
  }
}
