internal import Glibc
internal import SystemSupport

/// An error that tells what a caller can do about it.
///
/// The errors of Pantry and PantryPostgres conform to it, and those of an engine of your own can:
///
/// ```swift
/// } catch let error as any PantryError where error.isFull {
/// ```
public protocol PantryError: Error, CustomStringConvertible {
  /// Whether the same call may succeed in a moment: nothing was changed, and what is in its way,
  /// such as the lock of another process, may pass by itself.
  var isRetryable: Bool { get }
  /// Whether the disk or the quota is full: nothing was changed, and the call succeeds once there
  /// is room.
  var isFull: Bool { get }
  /// Whether a newer version of the program wrote what was to be read or changed.
  var needsUpdate: Bool { get }
}

extension PantryError {
  /// Whether the same call may succeed in a moment.
  public var isRetryable: Bool { remedy == .retry }
  /// Whether the disk or the quota is full.
  public var isFull: Bool { remedy == .freeSpace }
  /// Whether a newer version of the program wrote what was to be read or changed.
  public var needsUpdate: Bool { remedy == .update }

  private var remedy: Remedy? { (self as? any RemediableError)?.remedy }
}

/// What a caller can do about an error.
package enum Remedy: Sendable {
  case retry, freeSpace, update

  /// The remedy for an error number of the system.
  package init?(code: Int32) {
    switch code {
    case ENOSPC, EDQUOT: self = .freeSpace
    case EAGAIN, EBUSY, EINTR, EIO, EMFILE, ENFILE, ENOMEM, ETIMEDOUT: self = .retry
    default: return nil
    }
  }
}

/// An error of this package.
package protocol RemediableError: PantryError {
  var remedy: Remedy? { get }
}

extension StorageError: RemediableError {
  package var remedy: Remedy? {
    switch self {
    case .inUse, .logIsGone, .tooManyConflicts: .retry
    case .newerModel, .newerSchema: .update
    default: nil
    }
  }
}

extension SQLiteError: RemediableError {
  package var remedy: Remedy? {
    switch kind {
    case .busy: .retry
    case .full: .freeSpace
    case .inputOutput where systemCode == 0: mayPass ? .retry : nil
    default: Remedy(code: systemCode)
    }
  }
}

extension FileError: RemediableError {
  package var remedy: Remedy? { Remedy(code: code) }
}

extension SystemError: RemediableError {
  package var remedy: Remedy? { Remedy(code: code) }
}
