internal import Glibc
internal import Pantry
internal import SystemSupport
internal import TerminalKit

/// The reason why a picture was not saved to a file.
struct PictureFileError: Error, NumberedError, Hashable, CustomStringConvertible {
  enum Reason: Hashable, Sendable {
    /// The typed text has no path.
    case noName
    /// A file with the name exists; it is left as it is.
    case exists
    /// The name is that of another kind of picture, and a card is a PNG file.
    case notPNG
    /// The system's error number.
    case system(Int32)
  }

  let reason: Reason
  /// The path of the file that was to be written.
  let path: String

  var systemCode: Int32? { if case .system(let code) = reason { code } else { nil } }

  /// One user message, sanitized.
  var description: String {
    let path = path.sanitized(upTo: 200)
    switch reason {
    case .noName: return "Type the name of a file."
    case .exists: return "\(path) exists already: choose another name."
    case .notPNG: return "A card is a PNG file: choose a name that ends in .png."
    case .system(let code): return Self.sentence(code, path)
    }
  }

  private static func sentence(_ code: Int32, _ path: String) -> String {
    switch code {
    case ENOENT, ENOTDIR: "The directory of \(path) does not exist."
    case EACCES, EPERM: "Permission denied: \(path) was not saved."
    case EROFS: "\(path) cannot be written: the disk is read-only."
    case ENOSPC: "The disk is full: \(path) was not saved."
    case EDQUOT: "Disk quota exceeded: \(path) was not saved."
    case EFBIG: "The picture is too large for a file at \(path)."
    case ENAMETOOLONG: "The name \(path) is too long."
    default: "\(path) was not saved: \(SystemError(code: code))."
    }
  }
}
