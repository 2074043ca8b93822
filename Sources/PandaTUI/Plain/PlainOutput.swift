internal import Glibc
internal import TerminalKit

/// Writes the lines of `panda --plain`: what was asked for to one descriptor, failures to another.
///
/// Each line goes out at once and whole, without an escape and, where the locale has no more, in
/// ASCII.
struct PlainOutput {
  private let data: Int32
  private let failures: Int32

  /// The reader has gone: there is nobody to tell.
  struct Closed: Error {}

  init(data: Int32 = STDOUT_FILENO, failures: Int32 = STDERR_FILENO) {
    self.data = data
    self.failures = failures
  }

  /// Writes a line; one about a failure is lost where nobody reads those.
  func write(_ line: PlainLine) throws(Closed) {
    switch line {
    case .said(let text): try Self.write(Self.printed(text) + "\n", to: data)
    case .failure(let text):
      do {
        try Self.write(Self.printed(text) + "\n", to: failures)
      } catch {
        // `2>&-` asks for silence.
      }
    }
  }

  /// Writes what stands before the line that the person types.
  func prompt(_ text: String) throws(Closed) { try Self.write(text, to: data) }

  /// The text, harmless, and in ASCII where the locale has no more.
  private static func printed(_ text: String) -> String {
    let text = text.sanitized(upTo: 10_000)
    guard !localeShowsUnicode else { return text }
    // A locale that has some signs has them in other bytes than UTF-8.
    return String(text.drawable.map { $0.isASCII ? $0 : "?" })
  }

  private static func write(_ text: String, to descriptor: Int32) throws(Closed) {
    var rest = Array(text.utf8)[...]
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

/// A line for the person.
enum PlainLine: Hashable, Sendable {
  /// What was asked for, or what was done.
  case said(String)
  /// What was not done, and why.
  case failure(String)
}
