internal import FoundationEssentials
internal import Glibc

/// An error of the operating system, in words.
///
/// The only place that converts error numbers to words.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's error number (`errno`).
  public let code: Int32

  /// Creates an error from its number.
  public init(code: Int32) {
    self.code = code
  }

  /// Extracts the number of a Foundation error; nil if it has none.
  public init?(_ error: any Error) {
    switch error {
    case let error as SystemError: self = error
    case let error as POSIXError: code = error.code.rawValue
    case let error as CocoaError:
      if let cause = error.userInfo["NSUnderlyingError"] as? any Error,
        let system = SystemError(cause)
      {
        self = system
      } else if let code = Self.codes[error.code] {
        self.code = code
      } else {
        return nil
      }
    default: return nil
    }
  }

  /// The reason in a few words, without a period.
  public var description: String {
    switch code {
    case EACCES, EPERM: "permission denied"
    case ENOENT: "no such file or directory"
    case ENOTDIR: "it is a file, not a directory"
    case EISDIR: "it is a directory, not a file"
    case ENXIO, ENODEV: "it is a pipe, a socket or a device, not a file"
    case EEXIST: "it exists already"
    case EROFS: "the file system is read-only"
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk quota is exceeded"
    case EIO: "the disk reported an error"
    case ENAMETOOLONG: "the name is too long"
    case ELOOP: "it is a symbolic link, or leads through too many"
    case EMFILE, ENFILE: "too many files are open"
    case EFBIG: "it would be larger than this process may write"
    case ENOMEM: "there is not enough memory"
    case EBUSY, ETXTBSY: "it is in use"
    case EPIPE: "the reader is gone"
    case ETIMEDOUT: "it took too long"
    default: Self.system(code)
    }
  }

  /// The C library's text, in lowercase if it is a sentence.
  private static func system(_ code: Int32) -> String {
    let words = String(cString: strerror(code))
    guard let first = words.first, words.dropFirst().first?.isLowercase == true else {
      return words
    }
    return first.lowercased() + words.dropFirst()
  }

  /// The meaning of Foundation's codes that carry no error number.
  private static let codes: [CocoaError.Code: Int32] = [
    .fileNoSuchFile: ENOENT, .fileReadNoSuchFile: ENOENT, .fileReadNoPermission: EACCES,
    .fileWriteNoPermission: EACCES, .fileWriteFileExists: EEXIST, .fileWriteOutOfSpace: ENOSPC,
    .fileWriteVolumeReadOnly: EROFS, .fileReadInvalidFileName: EINVAL,
    .fileWriteInvalidFileName: EINVAL,
  ]
}
