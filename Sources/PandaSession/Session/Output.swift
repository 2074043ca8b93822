internal import Glibc
package import PandaCore
internal import Pantry
internal import SystemSupport
internal import TerminalKit

/// The output of the program: data to one descriptor, words to another.
///
/// Data is collected and written in large pieces; ``flush()`` writes what there is. In lines, as
/// `--plain` has them, all is written at once, and answers are data.
@MainActor
package final class Output {
  /// The reader of the data is gone, and needs no message.
  package struct Closed: Error { package init() {} }

  enum Stream: Sendable { case data, words }

  typealias Writer = (_ bytes: [UInt8], _ stream: Stream) throws(TerminalError) -> Void

  /// Whether a person sees the data.
  package let isTerminal: Bool
  package let canAsk: Bool
  /// Whether the reader of lines is gone; what is printed after that is lost.
  package private(set) var isClosed = false
  /// The worst exit status so far.
  package private(set) var status = ExitStatus.done

  package private(set) var lastFailure: CommandFailure?
  package private(set) var failureCount = 0
  private var failed: Set<String> = []
  /// The report of the last recovery of a damaged file.
  package var recovered: Trouble?

  /// The descriptor for data.
  package let data: Int32
  private let words: Int32
  private let hasTerminalForWords: Bool
  private let inLines: Bool
  private let writer: Writer?
  private var buffer: [UInt8] = []
  private static let capacity = 1 << 16

  package let log: Log

  /// Creates an output of a command, whose words go to standard error.
  package convenience init(data: Int32 = STDOUT_FILENO, log: Log = .off) {
    self.init(data: data, words: STDERR_FILENO, log: log)
  }

  /// - Parameters:
  ///   - data: the descriptor for data.
  ///   - words: the descriptor for words.
  ///   - inLines: whether it is that of a session of `--plain`, where questions would be answered
  ///     by the next command.
  ///   - log: receives what failed, with its cause.
  ///   - writer: writes in place of the descriptors.
  init(
    data: Int32 = STDOUT_FILENO, words: Int32 = STDERR_FILENO, inLines: Bool = false,
    log: Log = .off, writer: Writer? = nil
  ) {
    self.data = data
    self.inLines = inLines
    self.log = log
    self.words = words
    self.writer = writer
    isTerminal = writer == nil && isatty(data) == 1
    hasTerminalForWords = writer == nil && isatty(words) == 1
    canAsk = !inLines && isatty(STDIN_FILENO) == 1 && hasTerminalForWords
  }

  // MARK: Data

  /// Prints bytes as they are.
  ///
  /// - Throws: ``Closed``, or ``CommandFailure`` if they cannot be written.
  package func write(_ bytes: some Collection<UInt8>) throws {
    buffer += bytes
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Prints a line of text, see ``printed(_:onTerminal:)``.
  ///
  /// - Parameter end: the byte after it.
  package func print(_ line: String, end: UInt8 = UInt8(ascii: "\n")) throws {
    try write(Self.printed(line, onTerminal: isTerminal).utf8)
    try write(CollectionOfOne(end))
    if inLines { try flush() }
  }

  /// Prints lines of text: as they are for other programs, see ``printed(_:onTerminal:)`` else.
  package func print(text: String) throws {
    guard isTerminal || inLines else { return try write(text.utf8) }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      try print(String(line))
    }
  }

  /// Prints lines of text and nothing else; returns the exit status.
  package func show(_ text: String) -> ExitStatus {
    do {
      try print(text: text)
      try flush()
    } catch let failure as CommandFailure {
      fail(failure)
    } catch {
      return .failed
    }
    return status
  }

  /// Prints a path: byte for byte for other programs, cleaned on a terminal.
  ///
  /// - Throws: ``CommandFailure`` if it has a line break and ends with one: they would be two.
  package func printPath(_ path: some Collection<UInt8>, end: UInt8 = UInt8(ascii: "\n")) throws {
    guard end == 0 || !path.contains(UInt8(ascii: "\n")) else {
      let name = String(decoding: path, as: UTF8.self).forMessage
      throw CommandFailure(
        "\(name) has a line break in its name; list and pick print it with -0", .usage)
    }
    guard isTerminal else { return try write(Array(path) + [end]) }
    try print(String(decoding: path, as: UTF8.self), end: end)
  }

  package func flush() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard !buffer.isEmpty, !isClosed else { return }
    do throws(TerminalError) {
      try put(buffer, .data)
    } catch {
      if inLines {
        // What is under way is done, and then the session ends.
        log.error(.terminal, "The output was closed, so the session ends")
        isClosed = true
      } else if error.code == EPIPE {
        throw Closed()
      } else {
        throw CommandFailure("standard output: \(SystemError(code: error.code))", .failed)
      }
    }
  }

  /// Prints the prompt before the line that the user types.
  package func prompt(_ text: String) {
    try? write(text.utf8)  // as for each line
    try? flush()  // as for each line
  }

  // MARK: Words

  /// Shows on a terminal how far a long command is, in place of what it showed before.
  ///
  /// A terminal that understands no control codes shows nothing.
  ///
  /// - Parameter text: nil removes it.
  package func showProgress(_ text: String?) {
    guard hasTerminalForWords, !inLines, !TerminalEnvironment.current.isDumb else { return }
    printWords("\r\u{1B}[K" + Self.printed(text ?? "", onTerminal: true))
  }

  /// Says a sentence to the user, with a period.
  package func say(_ sentence: String) {
    guard inLines else { return printWords(line: "\(sentence).") }
    try? print("\(sentence).")  // a line is lost where there is no reader, which ends the session
  }

  package func fail(_ failure: CommandFailure) {
    note(failure.status)
    lastFailure = failure
    failureCount += 1
    if let cause = failure.cause {
      log.error(Log.Area(of: cause), "\(failure.sentence). Cause: \(technicalCause(of: cause))")
    } else {
      log.notice(.program, failure.sentence)
    }
    printWords(line: (inLines ? "" : "panda: ") + failure.sentence.withPeriod)
  }

  /// Says once why something was not done, however often it is not.
  package func failOnce(_ failure: CommandFailure) {
    if failed.insert(failure.sentence).inserted { fail(failure) }
  }

  package func note(_ status: ExitStatus) { self.status = self.status.worse(status) }

  /// Asks a question, and returns whether the answer is yes.
  package func ask(_ question: String) -> Bool {
    // A prompt that cannot be written is not answered with yes either.
    printWords("\(Self.printed(question, onTerminal: true)) [y/N] ")
    guard let answer = readLine()?.lowercased() else { return false }
    return ["y", "yes"].contains(answer)
  }

  private func printWords(line: String) {
    printWords(Self.printed(line, onTerminal: hasTerminalForWords) + "\n")
  }

  private func printWords(_ text: String) {
    try? put(Array(text.utf8), .words)  // there is nowhere to say that standard error is closed
  }

  private func put(_ bytes: [UInt8], _ stream: Stream) throws(TerminalError) {
    if let writer { return try writer(bytes, stream) }
    try TerminalGuard.write(bytes, to: stream == .data ? data : words)
  }

  /// Prints a line to standard error, before there is a session, or without the main actor.
  package nonisolated static func warn(_ line: String) {
    let text = printed(line, onTerminal: isatty(STDERR_FILENO) == 1) + "\n"
    try? TerminalGuard.write(Array(text.utf8), to: STDERR_FILENO)  // as above
  }

  /// The text as it is printed: sanitized, and in ASCII on a terminal whose locale has no more.
  ///
  /// Other programs get UTF-8 in any locale.
  package nonisolated static func printed(_ text: String, onTerminal: Bool) -> String {
    let text = text.sanitized(upTo: 10_000)
    return !onTerminal || localeShowsUnicode
      ? text : String(text.drawable.map { $0.isASCII ? $0 : "?" })
  }
}
