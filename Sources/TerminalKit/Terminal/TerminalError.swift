internal import Glibc

package struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Operation: String, Sendable {
    case readModes = "read the terminal's modes"
    case guardTerminal = "guard the terminal"
    case updateRestore = "update what restores the terminal"
    case suspend = "suspend"
    case write = "write to the terminal"
  }

  package let operation: Operation
  /// The `errno` value.
  package let code: Int32

  package var description: String {
    "Could not \(operation.rawValue): \(String(cString: strerror(code)))."
  }

  /// Throws if a result of CTerminalGuard, 0 or an `errno` value, is not 0.
  package static func check(_ result: Int32, during operation: Operation) throws(TerminalError) {
    guard result == 0 else { throw TerminalError(operation: operation, code: result) }
  }
}
