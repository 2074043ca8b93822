internal import Glibc
internal import SystemSupport
internal import Synchronization

/// A program in a tmux of its own, as seen by the person in front: keys go in, a screen comes out.
///
/// The server has a private socket and no configuration, and ends with the driver. After the
/// program's end its last screen stays to be looked at.
public final class Tmux: Sendable {
  private static let counter = Atomic(0)

  private let socket: String
  private let size: Lock<(columns: Int, rows: Int)>
  private let environment: [String]
  private let home: TemporaryDirectory?

  /// Starts a program in a window of its own.
  ///
  /// - Parameters:
  ///   - program: the path of the program.
  ///   - arguments: what follows its name.
  ///   - environment: `NAME=value` in addition to PATH, LANG, TERM, COLORTERM and a home directory
  ///     of its own; a `NAME=` alone sets it to nothing.
  ///   - columns: the window's width in cells.
  ///   - rows: its height in cells.
  ///   - options: more tmux options, set before the program starts.
  /// - Throws: `TestFailure`, also when there is no tmux.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String] = [],
    columns: Int = 80, rows: Int = 24, options: [(name: String, value: String)] = []
  ) throws {
    let number = Self.counter.add(1, ordering: .relaxed).newValue
    socket = "panda-test-\(getpid())-\(number)"
    size = Lock((columns, rows))
    let inherited = ["PATH", "TMUX_TMPDIR"].compactMap { (name: String) -> String? in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    (self.environment, home) = ProgramEnvironment.isolated(
      inherited + ["LANG=C.UTF-8", "COLORTERM=truecolor", "TERM=xterm-256color"],
      home: TemporaryDirectory())
    var commands = ["start-server"]
    let all =
      [
        ("default-terminal", "tmux-256color"), ("status", "off"), ("escape-time", "0"),
        ("remain-on-exit", "on"), ("remain-on-exit-format", ""), ("exit-empty", "off"),
        ("history-limit", "0"),
      ] + options
    for (name, value) in all { commands += [";", "set-option", "-g", name, value] }
    // Several words are run as they are, not by a shell; env also takes the additions.
    commands += [
      ";", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "env",
    ]
    commands += environment + [program] + arguments
    try run(commands)
  }

  deinit {
    // A server that is gone already is as good. tmux leaves its socket behind.
    let path = try? ask("#{socket_path}")
    _ = try? run(["kill-server"])
    if let path { unlink(path) }
  }

  // MARK: Input

  /// Presses keys, one after the other.
  public func press(_ keys: Key...) throws {
    // What ends in a semicolon would end tmux's command.
    try run(["send-keys", "--"] + keys.map { $0.name == ";" ? "\\;" : $0.name })
  }

  /// Types text, character by character.
  public func type(_ text: String) throws {
    try sendBytes(Array(text.utf8))
  }

  /// Sends bytes as if the terminal had sent them.
  public func sendBytes(_ bytes: [UInt8]) throws {
    for start in stride(from: 0, to: bytes.count, by: 1000) {
      let part = bytes[start..<min(start + 1000, bytes.count)]
      try run(["send-keys", "-H"] + part.map { String($0, radix: 16) })
    }
  }

  /// Changes the window's size; the program receives SIGWINCH.
  public func resize(columns: Int, rows: Int) throws {
    size.withLock { $0 = (columns, rows) }
    try run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  // MARK: Output

  /// The screen now.
  public func screen() throws -> ScreenText {
    let (columns, rows) = size.withLock { $0 }
    let capture = try run(["capture-pane", "-p", "-e", "-N"])
    return ScreenText(capture: capture, columns: columns, rows: rows)
  }

  /// The screen's cells now.
  public func cells() throws -> [[ScreenText.Cell]] { try screen().cells }

  /// Waits until the screen fulfils a condition, and returns it.
  ///
  /// - Throws: `TestFailure` with the last screen after the deadline.
  @discardableResult
  public func expect(
    _ what: String, deadline: Duration = .seconds(240),
    where condition: (ScreenText) throws -> Bool
  ) async throws -> ScreenText {
    var last = try screen()
    try await eventually(what, deadline: deadline, seen: { "\(state):\n\(last)" }) {
      last = try screen()
      return try condition(last)
    }
    return last
  }

  /// Waits until some row contains the text, and returns the screen.
  @discardableResult
  public func expect(text: String, deadline: Duration = .seconds(240)) async throws -> ScreenText {
    try await expect("\(text.debugDescription) on the screen", deadline: deadline) {
      $0.contains(text)
    }
  }

  // MARK: The program

  /// The program's process id.
  public func processIdentifier() throws -> Int32 {
    guard let process = Int32(try ask("#{pane_pid}")) else {
      throw TestFailure("tmux does not tell the process id.")
    }
    return process
  }

  /// Sends a signal to the program: SIGKILL, unless told otherwise.
  public func kill(_ signal: Int32 = 9) throws {
    guard Glibc.kill(try processIdentifier(), signal) == 0 else {
      throw TestFailure("Signal \(signal) was not sent: \(errorText(errno)).")
    }
  }

  /// How the program ended; nil while it runs.
  public func exit() throws -> PseudoTerminal.Exit? {
    let answer = try ask("#{pane_dead} #{pane_dead_status} #{pane_dead_signal}")
    let fields = answer.split(separator: " ", omittingEmptySubsequences: false)
    guard fields.first == "1", fields.count == 3 else { return nil }
    if let signal = Int32(fields[2]) { return .signalled(signal) }
    if let status = Int32(fields[1]) { return .exited(status) }
    // The output has ended and the status is not here yet. Under load tmux 3.3a can miss that its
    // child ended, which stays a zombie then: a SIGCHLD makes it look again.
    if let server = Int32(try ask("#{pid}")), server > 1 { _ = Glibc.kill(server, SIGCHLD) }
    return nil
  }

  /// Whether the program runs, for messages.
  private var state: String {
    do {
      return try exit().map { "The program has \($0). Its last screen" } ?? "The screen"
    } catch {
      return "The screen (\(error))"
    }
  }

  /// Waits until the program has ended.
  public func waitForExit(deadline: Duration = .seconds(240)) async throws -> PseudoTerminal.Exit {
    var last: PseudoTerminal.Exit?
    try await eventually(
      "the program's end", deadline: deadline,
      seen: { (try? screen().description) ?? "no screen" }  // A message, best effort.
    ) {
      last = try exit()
      return last != nil
    }
    guard let last else { throw TestFailure("It ended without a status.") }
    return last
  }

  /// The value of a tmux format, such as `#{alternate_on}`, `#{cursor_flag}`, `#{mouse_any_flag}`.
  public func ask(_ format: String) throws -> String {
    var answer = try run(["display-message", "-p", format])
    if answer.hasSuffix("\n") { answer.removeLast() }
    return answer
  }

  /// Runs a tmux command, and returns what it printed.
  @discardableResult
  public func run(_ command: [String]) throws -> String {
    let result = try Subprocess.run(
      ["tmux", "-L", socket, "-f", "/dev/null", "-u"] + command, environment: environment)
    guard result.status == 0 else {
      throw TestFailure("tmux \(command.joined(separator: " ")): \(result.output)")
    }
    return result.output
  }
}
