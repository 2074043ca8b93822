internal import Glibc

/// A terminal's modes at one moment, comparable.
public struct ModeSnapshot: Hashable, Sendable, CustomStringConvertible {
  /// The four flag words and the two speeds.
  private let words: [UInt32]
  private let controlCharacters: [UInt8]

  /// Reads the modes of a terminal.
  ///
  /// - Throws: `TestFailure` when the descriptor is no terminal.
  public init(of descriptor: Int32) throws {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else {
      throw TestFailure("The terminal's modes are unknown: \(errorText(errno)).")
    }
    words = [
      modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag,
      cfgetispeed(&modes), cfgetospeed(&modes),
    ]
    controlCharacters = withUnsafeBytes(of: &modes.c_cc) { Array($0) }
  }

  /// The flag words in hexadecimal and the control characters.
  public var description: String {
    "\(words.map { String($0, radix: 16) }) \(controlCharacters)"
  }
}
