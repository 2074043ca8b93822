internal import Glibc

/// Why the Disk engine could not do something to a file or a directory.
public struct DiskError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was being done.
  public enum Operation: String, Sendable {
    /// Making a directory.
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
    /// Making sure that what was written survives a loss of power.
    case flush
    /// Giving a finished file its name.
    case rename
    /// Removing a file.
    case remove
  }

  /// What was being done.
  public let operation: Operation
  /// The file or the directory it was done to.
  public let path: String
  /// The system's error number (`errno`).
  public let code: Int32

  /// Tells whether the disk or the quota is used up.
  public var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

  var isDirectory: Bool { code == EISDIR }
  /// Whether it is about the one file (a symbolic link, a bad sector) and not about the whole disk,
  /// this process or its rights.
  var concernsOneFile: Bool { code == ELOOP || code == EIO }

  /// One sentence: what failed and why, and what now where that is known.
  public var description: String {
    let reason = "\(path): \(operation.rawValue) failed: \(SystemError(code: code))."
    return isOutOfSpace ? reason + " Free some space and try again." : reason
  }
}
