internal import Glibc
internal import SystemSupport

/// An error on a file or a directory of the Disk engine or of values.
public struct DiskError: Error, Equatable, Sendable, CustomStringConvertible {
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

  /// Whether the disk or the quota is full.
  public var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

  var isDirectory: Bool { code == EISDIR }
  /// Whether an error on a file concerns this file only (its permissions, a symbolic link or a
  /// socket in its place, a bad sector), not the whole disk or the process.
  var concernsOneFile: Bool {
    [EACCES, EPERM, ELOOP, ENXIO, EIO, EBADMSG, EUCLEAN].contains(code)
  }

  /// A sentence with what failed and why, and with a remedy where one is known.
  public var description: String {
    let reason = "\(path): \(operation.rawValue) failed: \(SystemError(code: code))."
    return isOutOfSpace ? reason + " Free some space and try again." : reason
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
