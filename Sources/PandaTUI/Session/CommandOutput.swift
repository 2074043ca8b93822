internal import Glibc
internal import PandaCore
internal import Pantry
internal import SystemSupport
internal import TerminalKit

/// The output of a command: data to one descriptor, words to another.
///
/// Data is collected and written in large pieces; ``flush()`` writes what there is.
@MainActor
final class CommandOutput {
  /// The reader of the data is gone, and needs no message.
  struct Closed: Error {}

  /// Whether a person sees the data.
  let isTerminal: Bool
  let canAsk: Bool
  /// The worst exit status so far.
  private(set) var status = ExitStatus.done

  private var failed: Set<String> = []
  private(set) var lastFailure: CommandFailure?

  private let data: Int32
  private let words: Int32
  /// Takes each line of a session; nil if there are descriptors.
  private let lines: (@MainActor (PlainLine) -> Void)?
  private var buffer: [UInt8] = []
  private static let capacity = 1 << 16

  let log: Log
  private(set) var failureCount = 0
  /// The report of the last recovery of a damaged file.
  var recovered: Trouble?

  /// - Parameters:
  ///   - data: the descriptor for data.
  ///   - words: the descriptor for words.
  ///   - log: receives what failed, with its cause.
  init(data: Int32 = STDOUT_FILENO, words: Int32 = STDERR_FILENO, log: Log = .off) {
    self.data = data
    self.words = words
    self.log = log
    lines = nil
    isTerminal = isatty(data) == 1
    canAsk = isatty(STDIN_FILENO) == 1 && isatty(words) == 1
  }

  /// Prints lines of a session, where questions would be answered by the next command.
  init(log: Log, lines: @escaping @MainActor (PlainLine) -> Void) {
    (data, words) = (-1, -1)
    self.log = log
    self.lines = lines
    (isTerminal, canAsk) = (false, false)
  }

  // MARK: Data

  /// Prints bytes as they are.
  ///
  /// - Throws: ``Closed``, or ``CommandFailure`` if they cannot be written.
  func write(_ bytes: some Collection<UInt8>) throws {
    buffer += bytes
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Prints a line of text, see ``printed(_:onTerminal:)``.
  ///
  /// - Parameter end: the byte after it.
  func print(_ line: String, end: UInt8 = UInt8(ascii: "\n")) throws {
    if let lines, end == UInt8(ascii: "\n") {
      try flush()
      return lines(.said(line))
    }
    try write(Self.printed(line, onTerminal: isTerminal).utf8)
    try write(CollectionOfOne(end))
  }

  /// Prints lines of text: as they are for other programs, see ``printed(_:onTerminal:)`` else.
  func print(text: String) throws {
    guard isTerminal || lines != nil else { return try write(text.utf8) }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      try print(String(line))
    }
  }

  /// Prints a path: byte for byte for other programs, cleaned on a terminal.
  ///
  /// - Throws: ``CommandFailure`` if it has a line break and ends with one: they would be two.
  func printPath(_ path: some Collection<UInt8>, end: UInt8 = UInt8(ascii: "\n")) throws {
    guard end == 0 || !path.contains(UInt8(ascii: "\n")) else {
      let name = String(decoding: path, as: UTF8.self).forMessage
      throw CommandFailure(
        "\(name) has a line break in its name; list and pick print it with -0", .usage)
    }
    guard isTerminal else { return try write(Array(path) + [end]) }
    try print(String(decoding: path, as: UTF8.self), end: end)
  }

  func flush() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard !buffer.isEmpty else { return }
    if let lines { return lines(.data(buffer)) }
    do throws(TerminalError) {
      try TerminalGuard.write(buffer, to: data)
    } catch {
      if error.code == EPIPE { throw Closed() }
      throw CommandFailure("standard output: \(SystemError(code: error.code))", .failed)
    }
  }

  /// Calls `handler` once the reader of a pipe is gone, as long as the returned watch exists.
  func whenReaderLeaves(_ handler: @escaping @Sendable () -> Void) -> ReaderMonitor? {
    ReaderMonitor(data, handler: handler)
  }

  // MARK: Words

  /// Shows on a terminal how far a long command is, in place of what it showed before.
  ///
  /// A terminal that understands no control codes shows nothing.
  ///
  /// - Parameter text: nil removes it.
  func showProgress(_ text: String?) {
    guard isatty(words) == 1, !TerminalEnvironment.current.isDumb else { return }
    // Progress that cannot be written is not missed.
    _ = write(
      "\r\u{1B}[K" + Self.printed(text ?? "", onTerminal: true), to: words)
  }

  /// Says a sentence to the user, with a period.
  func say(_ sentence: String) {
    guard let lines else { return printWords("\(sentence).") }
    // The data that it is about comes first.
    try? flush()  // the next line finds that the reader is gone
    lines(.said("\(sentence)."))
  }

  func fail(_ failure: CommandFailure) {
    note(failure.status)
    lastFailure = failure
    failureCount += 1
    if let cause = failure.cause {
      log.error(Log.Area(of: cause), "\(failure.sentence). Cause: \(technicalCause(of: cause))")
    } else {
      log.notice(.program, failure.sentence)
    }
    if let lines {
      lines(.failure(failure.sentence.withPeriod))
    } else {
      printWords("panda: \(failure.sentence).")
    }
  }

  /// Says once why something was not done, however often it is not.
  func failOnce(_ failure: CommandFailure) {
    if failed.insert(failure.sentence).inserted { fail(failure) }
  }

  func note(_ status: ExitStatus) { self.status = self.status.worse(status) }

  /// Asks a question, and returns whether the answer is yes.
  func ask(_ question: String) -> Bool {
    // A prompt that cannot be written is not answered with yes either.
    _ = write("\(Self.printed(question, onTerminal: true)) [y/N] ", to: words)
    guard let answer = readLine()?.lowercased() else { return false }
    return ["y", "yes"].contains(answer)
  }

  private func printWords(_ text: String) {
    // There is no alternative if standard error is closed.
    _ = write(Self.printed(text, onTerminal: isatty(words) == 1) + "\n", to: words)
  }

  private func write(_ text: String, to descriptor: Int32) -> Bool {
    (try? TerminalGuard.write(Array(text.utf8), to: descriptor)) != nil  // see callers
  }

  /// The text as it is printed: sanitized, and in ASCII on a terminal whose locale has no more.
  ///
  /// Other programs get UTF-8 in any locale.
  nonisolated static func printed(_ text: String, onTerminal: Bool) -> String {
    let text = text.sanitized(upTo: 10_000)
    return !onTerminal || localeShowsUnicode
      ? text : String(text.drawable.map { $0.isASCII ? $0 : "?" })
  }
}

enum PlainLine: Hashable, Sendable {
  /// An answer, or a completed action.
  case said(String)
  /// Bytes as they are, with the ends of their lines.
  case data([UInt8])
  case failure(String)
}
