internal import Glibc
internal import TerminalKit

/// Writes the lines of `panda --plain`: answers to one descriptor, failures to another.
///
/// Each line is written at once and whole, as ``CommandOutput/printed(_:onTerminal:)`` says.
struct PlainOutput {
  private let data: Int32
  private let failures: Int32

  /// The reader is gone, so nothing can be printed.
  struct Closed: Error {}

  init(data: Int32 = STDOUT_FILENO, failures: Int32 = STDERR_FILENO) {
    self.data = data
    self.failures = failures
  }

  /// Writes a line; a failure message is lost if its descriptor has no reader.
  func write(_ line: PlainLine) throws(Closed) {
    switch line {
    case .said(let text): try Self.write(line: text, to: data)
    case .data(let bytes): try Self.write(bytes[...], to: data)
    case .failure(let text):
      do {
        try Self.write(line: text, to: failures)
      } catch {
        // `2>&-` suppresses failure messages.
      }
    }
  }

  /// Writes the prompt before the line that the user types.
  func prompt(_ text: String) throws(Closed) { try Self.write(text, to: data) }

  private static func write(line: String, to descriptor: Int32) throws(Closed) {
    let text = CommandOutput.printed(line, onTerminal: isatty(descriptor) == 1)
    try write("\(text)\n", to: descriptor)
  }

  private static func write(_ text: String, to descriptor: Int32) throws(Closed) {
    try write(Array(text.utf8)[...], to: descriptor)
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(Closed) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
        continue
      }
      guard count > 0 else { throw Closed() }
      rest = rest.dropFirst(count)
    }
  }
}
