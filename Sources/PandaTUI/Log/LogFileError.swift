internal import Pantry
internal import SystemSupport

/// The log could not be written.
struct LogFileError: Error, NumberedError, Hashable, Sendable, CustomStringConvertible {
  let path: String
  /// The system's error number.
  let code: Int32

  /// A sentence with the file and the reason.
  var description: String { "The log \(path) cannot be written: \(SystemError(code: code))" }
  var systemCode: Int32? { code }
}
