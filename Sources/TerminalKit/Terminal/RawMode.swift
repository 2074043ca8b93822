package import Glibc

/// The mode in which a terminal forwards each byte and echoes none.
package enum RawMode {
  /// Switches a terminal to raw mode.
  ///
  /// Ctrl-C still sends its signal, as it does under ncurses.
  ///
  /// - Returns: the previous modes; nil if there is no terminal.
  package static func begin(on descriptor: Int32) -> termios? {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else { return nil }
    let before = modes
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &modes.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    guard tcsetattr(descriptor, TCSANOW, &modes) == 0 else { return nil }
    return before
  }
}
