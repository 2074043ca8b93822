internal import Dispatch
internal import Glibc

/// The terminal: single keys, lines on the alternate screen, restored at the end.
@MainActor
final class Terminal {
  private let modes: termios
  private var sources: [any DispatchSourceProtocol] = []

  /// Switches the terminal to raw mode and the alternate screen.
  ///
  /// - Throws: ``SocketError`` if input or output is no terminal.
  init() throws {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0, isatty(STDOUT_FILENO) == 1 else {
      throw SocketError(call: "terminal", code: ENOTTY)
    }
    self.modes = modes
    var raw = modes
    cfmakeraw(&raw)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    write("\u{1b}[?1049h\u{1b}[?25l")
  }

  /// Restores the terminal.
  func end() {
    for source in sources { source.cancel() }
    write("\u{1b}[?25h\u{1b}[?1049l")
    var modes = modes
    tcsetattr(STDIN_FILENO, TCSADRAIN, &modes)
  }

  /// Reports keys and changes of size; a signal to end is a ``Key/interrupt``.
  func listen(
    onKey: @escaping @MainActor (Key) -> Void, onResize: @escaping @MainActor () -> Void
  ) {
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    input.setEventHandler {
      MainActor.assumeIsolated {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count > 0 else { return onKey(.interrupt) }
        for key in Key.keys(in: Array(buffer.prefix(count))) { onKey(key) }
      }
    }
    sources = [input]
    for number in [SIGTERM, SIGHUP, SIGINT, SIGWINCH] {
      // Handled by the source only.
      if number != SIGWINCH { signal(number, SIG_IGN) }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler {
        MainActor.assumeIsolated { if number == SIGWINCH { onResize() } else { onKey(.interrupt) } }
      }
      sources.append(source)
    }
    for source in sources { source.resume() }
  }

  /// Its width and height in cells.
  var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Shows lines, from the top.
  func draw(_ lines: [String]) {
    write("\u{1b}[H" + lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J")
  }

  private func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
