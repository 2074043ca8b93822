internal import Glibc

/// A failed system call on a file or a directory.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failed operation.
  public enum Operation: String, Sendable {
    /// Creating a directory.
    case create
    /// Opening a file or a directory.
    case open
    /// Listing a directory.
    case list
    /// Locking a directory.
    case lock
    /// Reading a file.
    case read
    /// Writing a file.
    case write
    /// Flushing writes, so that they survive a power failure.
    case flush
    /// Renaming a finished file.
    case rename
    /// Removing a file.
    case remove
  }

  /// The failed operation.
  public let operation: Operation
  /// The path of the file or directory.
  public let path: String
  /// The system's error number (`errno`).
  public let code: Int32

  package init(_ operation: Operation, _ path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// Whether the disk or the quota is full.
  public var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

  package var isDirectory: Bool { code == EISDIR }
  /// Whether an error on a file concerns this file only (its permissions, a symbolic link or a
  /// socket in its place, a bad sector), not the whole disk or the process.
  package var concernsOneFile: Bool {
    [EACCES, EPERM, ELOOP, ENXIO, EIO, EBADMSG, EUCLEAN].contains(code)
  }

  /// A sentence with what failed and why, and with a remedy where one is known.
  public var description: String {
    let clean = path.sanitized(upTo: 4096)
    let place = clean.count > 120 ? clean.prefix(60) + "…" + clean.suffix(60) : clean[...]
    let isNowhere = code == ENOENT && (operation == .write || operation == .create)
    let reason = isNowhere ? "its directory does not exist" : "\(SystemError(code: code))"
    let sentence = "\(place) cannot be \(participle): \(reason)."
    return isOutOfSpace ? sentence + " Free some space and try again." : sentence
  }

  private var participle: String {
    switch operation {
    case .create: "created"
    case .open: "opened"
    case .list: "listed"
    case .lock: "locked"
    case .read: "read"
    case .write: "written"
    case .flush: "flushed"
    case .rename: "renamed"
    case .remove: "removed"
    }
  }
}

extension FileError {
  /// Makes a system call, retries it if interrupted by a signal, and converts -1 to an error.
  @discardableResult
  package static func check<Result: SignedInteger>(
    _ operation: Operation, _ path: String, _ call: () -> Result
  ) throws(FileError) -> Result {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw FileError(operation, path, code: code) }
    }
  }
}
