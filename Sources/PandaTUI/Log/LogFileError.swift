internal import Pantry
internal import SystemSupport

struct LogFileError: Error, NumberedError, Hashable, Sendable, CustomStringConvertible {
  let path: String
  /// The system's error number.
  let code: Int32

  var description: String { "The log \(path) cannot be written: \(SystemError(code: code))" }
  var systemCode: Int32? { code }
}
