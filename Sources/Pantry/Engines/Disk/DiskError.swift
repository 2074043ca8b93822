internal import Glibc

/// An error of the Disk engine on a file or a directory.
public struct DiskError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The failed operation.
  public enum Operation: String, Sendable {
    /// Creating a directory.
    case create
    /// Opening a file or a directory.
    case open
    /// Listing a directory.
    case list
    /// Locking a file or a directory.
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
  /// Whether the error concerns this file only (a link, a bad sector, its permissions), not the
  /// whole disk or the process.
  var concernsOneFile: Bool { [ELOOP, EIO, EACCES, EPERM].contains(code) }

  /// A sentence with what failed and why, and with a remedy where one is known.
  public var description: String {
    let reason = "\(path): \(operation.rawValue) failed: \(SystemError(code: code))."
    return isOutOfSpace ? reason + " Free some space and try again." : reason
  }
}
