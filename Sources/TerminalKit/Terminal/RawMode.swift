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

  /// Switches a terminal to the modes of a program that has the whole screen.
  ///
  /// Input and output are passed on byte for byte. Ctrl-S must not freeze the screen: users would
  /// not know why.
  static func beginScreen(on descriptor: Int32) {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else { return }
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL)
    modes.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON)
    modes.c_oflag &= ~tcflag_t(ONLCR | TABDLY)
    withUnsafeMutableBytes(of: &modes.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    tcsetattr(descriptor, TCSANOW, &modes)
  }
}
