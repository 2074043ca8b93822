internal import CPseudoTerminal
@preconcurrency internal import Dispatch  // Dispatch's sources are thread-safe, but do not say so.
internal import Glibc
internal import SystemSupport

/// A pseudo-terminal with a program in it, as seen by the person in front: what was printed, which
/// modes the terminal is in, how the program stopped or ended.
///
/// The program is the foreground job of a session of its own, below a leader that plays the shell
/// (see `pt_spawn`). It ends with the driver at the latest.
public final class PseudoTerminal: Sendable {
  /// How a program ended.
  public enum Exit: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// What the program does.
  public enum Condition: Hashable, Sendable {
    case running
    /// Stopped by this signal.
    case stopped(Int32)
    case ended(Exit)
  }

  fileprivate struct State {
    var output: [UInt8] = []
    /// How long the output was when, after each read.
    var arrivals: [(count: Int, moment: ContinuousClock.Instant)] = []
    var process: pid_t?
    var condition = Condition.running
    var statusBytes: [UInt8] = []
    var stops = 0
    /// How much of the output was searched for questions.
    var searched = 0
    var isClosed = false
  }

  private let slave: [CChar]
  private let master: Int32
  private let control: Int32
  private let leader: pid_t
  private let state: SharedState
  private let sources: [any DispatchSourceRead]
  private let queue = DispatchQueue(label: "PseudoTerminal")
  private let home: TemporaryDirectory?

  /// The terminal's modes before the program started.
  public let modesBefore: ModeSnapshot

  /// The answer to the last question of programs that leave.
  public static let lastAnswer: KeyValuePairs = ["\u{1B}[?1049l\u{1B}[c": "\u{1B}[?62c"]

  /// Opens a terminal and starts a program in it.
  ///
  /// - Parameters:
  ///   - program: the path of the program.
  ///   - arguments: what follows its name.
  ///   - environment: the whole environment, `NAME=value`, but for a home directory of its own.
  ///   - columns: the terminal's width in cells.
  ///   - rows: its height in cells.
  ///   - answers: what the terminal answers to each question, whenever it is printed; to DA1 right
  ///     behind the alternate screen unless told otherwise, as programs do that leave.
  ///   - roundTrip: how many seconds after a question its answer arrives; nil for at once.
  ///   - pace: how many bytes the terminal takes each millisecond; nil for any number. It reads on
  ///     a queue of its own, so a busy test never makes it a terminal that takes nothing.
  /// - Throws: `TestFailure`.
  public init(
    _ program: String, _ arguments: [String] = [],
    environment: [String] = ["TERM=xterm-256color", "LANG=C.UTF-8", "PATH=/usr/bin:/bin"],
    columns: Int = 80, rows: Int = 24,
    answers: KeyValuePairs<String, String> = lastAnswer,
    roundTrip: Double? = nil, pace: Int? = nil
  ) throws {
    let (environment, home) = ProgramEnvironment.isolated(environment, home: TemporaryDirectory())
    self.home = home
    var name = [CChar](repeating: 0, count: 128)
    let master = pt_open(&name, name.count)
    guard master >= 0 else { throw TestFailure("No pseudo-terminal: \(errorText(-master)).") }
    self.master = master
    self.slave = name
    _ = pt_resize(master, Int32(columns), Int32(rows), Int32(columns * 8), Int32(rows * 16))
    try Self.makeModesUnusual(master)
    modesBefore = try ModeSnapshot(of: master)

    var control: Int32 = -1
    let leader = withCStrings([program] + arguments) { argv in
      withCStrings(environment) { envp in pt_spawn(name, program, argv, envp, &control) }
    }
    guard leader > 0 else {
      close(master)
      throw TestFailure("\(program) did not start: \(errorText(-leader)).")
    }
    self.leader = leader
    self.control = control

    let state = SharedState()
    self.state = state
    sources = [
      Self.reader(of: master, on: queue, pace: pace) { [queue] bytes in
        state.take(bytes)
        let answer = state.answer(answers)
        guard !answer.isEmpty else { return }
        guard let roundTrip else { return state.write(answer, to: master) }
        queue.asyncAfter(deadline: .now() + roundTrip) { state.write(answer, to: master) }
      },
      Self.reader(of: control, on: queue) { bytes in state.value.withLock { $0.read(bytes) } },
    ]
  }

  deinit {
    for source in sources { source.cancel() }
    queue.sync { state.value.withLock { $0.isClosed = true } }
    // The leader kills the program when the stream ends, and ends too.
    shutdown(control, Int32(SHUT_RDWR))
    var status: Int32 = 0
    waitpid(leader, &status, 0)
    close(control)
    close(master)
  }

  /// All that was printed so far.
  public var output: [UInt8] { state.value.withLock { $0.output } }

  /// How much was printed so far, in bytes.
  public var outputCount: Int { state.value.withLock { $0.output.count } }

  /// When the first occurrence of `bytes` behind an offset was complete; nil if there is none yet.
  public func arrival(of bytes: [UInt8], from offset: Int) -> ContinuousClock.Instant? {
    state.value.withLock { state in
      state.end(of: bytes, from: offset).flatMap { end in
        state.arrivals.first { $0.count >= end }?.moment
      }
    }
  }

  /// How long the output was when, after each read.
  public var arrivals: [(count: Int, moment: ContinuousClock.Instant)] {
    state.value.withLock { $0.arrivals }
  }

  /// When the newest output arrived; nil if there is none yet.
  public var lastArrival: ContinuousClock.Instant? {
    state.value.withLock { $0.arrivals.last?.moment }
  }

  /// The output as text, for messages: escape sequences spelled out.
  public var readableOutput: String {
    String(decoding: output, as: UTF8.self).debugDescription
  }

  /// What the program does now.
  public var condition: Condition { state.value.withLock { $0.condition } }

  /// How often the program was stopped so far.
  public var stops: Int { state.value.withLock { $0.stops } }

  /// The terminal's modes now.
  public var modes: ModeSnapshot {
    get throws { try ModeSnapshot(of: master) }
  }

  /// What was typed and not read: the shell would get it next.
  ///
  /// It is taken. Ask after the program's end: the terminal is in raw mode meanwhile, where bytes
  /// count that are no whole line.
  public var unreadInput: String {
    get throws {
      let terminal = open(slave, O_RDWR | O_NOCTTY | O_CLOEXEC)
      guard terminal >= 0 else { throw TestFailure("No terminal: \(errorText(errno)).") }
      defer { close(terminal) }
      var before = termios()
      guard tcgetattr(terminal, &before) == 0 else {
        throw TestFailure("The terminal's modes are unknown: \(errorText(errno)).")
      }
      var raw = before
      cfmakeraw(&raw)
      tcsetattr(terminal, TCSANOW, &raw)
      defer { tcsetattr(terminal, TCSANOW, &before) }
      var count = try Self.unreadCount(of: terminal)
      var bytes = [UInt8](repeating: 0, count: Int(count))
      if count > 0 { count = Int32(read(terminal, &bytes, bytes.count)) }
      return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
    }
  }

  /// Whether a program in raw mode has read all that was typed.
  public var hasReadAll: Bool {
    get throws {
      let terminal = open(slave, O_RDWR | O_NOCTTY | O_CLOEXEC)
      guard terminal >= 0 else { throw TestFailure("No terminal: \(errorText(errno)).") }
      defer { close(terminal) }
      return try Self.unreadCount(of: terminal) == 0
    }
  }

  private static func unreadCount(of terminal: Int32) throws -> Int32 {
    var count: Int32 = 0
    guard ioctl(terminal, UInt(FIONREAD), &count) == 0 else {
      throw TestFailure("The terminal's input is unknown: \(errorText(errno)).")
    }
    return count
  }

  /// Tells whether the program is the foreground job.
  public var isForeground: Bool {
    state.value.withLock { $0.process } == pt_foreground(master)
  }

  /// Types bytes.
  public func write(_ text: String) throws {
    try write(Array(text.utf8))
  }

  /// Types bytes.
  public func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(master, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw TestFailure("Typing failed: \(errorText(errno)).") }
      rest = rest.dropFirst(count)
    }
  }

  /// Changes the window's size; the program receives SIGWINCH.
  public func resize(columns: Int, rows: Int) throws {
    let code = pt_resize(
      master, Int32(columns), Int32(rows), Int32(columns * 8), Int32(rows * 16))
    guard code == 0 else { throw TestFailure("Resizing failed: \(errorText(code)).") }
  }

  /// Stops the flow of output, as Ctrl-S does: what the program writes stays with the kernel.
  public func hold() throws {
    let code = pt_hold(slave)
    guard code == 0 else { throw TestFailure("The output was not held: \(errorText(code)).") }
  }

  /// Closes the terminal, as when a window or a connection is closed.
  ///
  /// The program's foreground job gets SIGHUP, and its reads end.
  public func hangUp() {
    sources[0].cancel()
    // In its place, so that the number means no other file until `deinit` closes it.
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    dup2(nothing, master)
    close(nothing)
  }

  /// Sends a signal to the program.
  public func kill(_ signal: Int32) async throws {
    let process = try await processIdentifier()
    guard Glibc.kill(process, signal) == 0 else {
      throw TestFailure("Signal \(signal) was not sent: \(errorText(errno)).")
    }
  }

  /// Continues a stopped program as the shell's `fg` would, or as `bg`.
  public func resume(inForeground: Bool = true) throws {
    var command = UInt8(ascii: inForeground ? "F" : "B")
    guard Glibc.write(control, &command, 1) == 1 else {
      throw TestFailure("The session leader is gone.")
    }
  }

  /// The program's process id.
  public func processIdentifier() async throws -> Int32 {
    try await eventually("the program's process id") {
      state.value.withLock { $0.process } != nil
    }
    return state.value.withLock { $0.process } ?? -1
  }

  /// How often a text was printed so far behind an offset in bytes.
  public func count(of text: String, from start: Int = 0) -> Int {
    let text = Array(text.utf8)
    return state.value.withLock { state in
      var (count, offset) = (0, start)
      while let end = state.end(of: text, from: offset) {
        count += 1
        offset = end
      }
      return count
    }
  }

  /// Takes what the program had printed at its end.
  ///
  /// The kernel may pass it on later than it tells of the end; poll(2) waits for that.
  func takeRest() {
    queue.sync {
      var readiness = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      while poll(&readiness, 1, 0) == 1, readiness.revents & Int16(POLLIN) != 0 {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else { return }
        state.take(Array(buffer.prefix(count)))
      }
    }
  }
}

// MARK: - Inside

extension PseudoTerminal {
  /// The lock, in a class so that the sources' handlers can share it.
  fileprivate final class SharedState: Sendable {
    let value = Lock(State())

    /// Keeps what the program printed.
    func take(_ bytes: [UInt8]) {
      let now = ContinuousClock.now
      value.withLock { state in
        state.output += bytes
        state.arrivals.append((state.output.count, now))
      }
    }

    /// Returns the answers to the questions since the last time, in their order.
    func answer(_ answers: KeyValuePairs<String, String>) -> [UInt8] {
      value.withLock { state in
        defer { state.searched = state.output.count }
        var found: [(end: Int, text: String)] = []
        for (question, text) in answers {
          // One that was cut in two was not found before.
          var start = max(0, state.searched - question.utf8.count + 1)
          while let end = state.end(of: Array(question.utf8), from: start) {
            found.append((end, text))
            start = end
          }
        }
        return found.sorted { $0.end < $1.end }.flatMap { Array($0.text.utf8) }
      }
    }

    /// Types an answer, which is short and fits into the terminal's buffer.
    func write(_ answer: [UInt8], to master: Int32) {
      guard !value.withLock({ $0.isClosed }) else { return }
      _ = answer.withUnsafeBytes { Glibc.write(master, $0.baseAddress, $0.count) }
    }
  }

  /// Makes the modes differ from the kernel's defaults: a program that "restored" defaults would
  /// be found out.
  private static func makeModesUnusual(_ master: Int32) throws {
    var modes = termios()
    guard tcgetattr(master, &modes) == 0 else {
      throw TestFailure("The terminal's modes are unknown: \(errorText(errno)).")
    }
    modes.c_lflag &= ~tcflag_t(ECHOK)
    modes.c_iflag |= tcflag_t(IXANY)
    modes.c_cc.3 = 0x08  // VERASE
    guard tcsetattr(master, TCSANOW, &modes) == 0 else {
      throw TestFailure("The terminal's modes were not set: \(errorText(errno)).")
    }
  }

  /// Reads a descriptor as it fills, until its end.
  ///
  /// The source owns a duplicate.
  ///
  /// - Parameter pace: how much is read each millisecond; nil for all there is.
  private static func reader(
    of descriptor: Int32, on queue: DispatchQueue, pace: Int? = nil,
    into take: @escaping @Sendable ([UInt8]) -> Void
  ) -> any DispatchSourceRead {
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    let source = DispatchSource.makeReadSource(fileDescriptor: own, queue: queue)
    source.setEventHandler {
      // What was there may have been taken at the program's end.
      var readiness = pollfd(fd: own, events: Int16(POLLIN), revents: 0)
      guard poll(&readiness, 1, 0) == 1 else { return }
      if pace != nil {
        source.suspend()
        queue.asyncAfter(deadline: .now() + .milliseconds(1)) { source.resume() }
      }
      var buffer = [UInt8](repeating: 0, count: pace ?? 65_536)
      let count = read(own, &buffer, buffer.count)
      // EIO: no process has the terminal open any more.
      if count <= 0 { source.cancel() } else { take(Array(buffer.prefix(count))) }
    }
    source.setCancelHandler { close(own) }
    source.resume()
    return source
  }
}

extension PseudoTerminal.State {
  /// Where the first occurrence of a text behind an offset ends; nil if there is none.
  ///
  /// It searches in place.
  func end(of text: [UInt8], from start: Int) -> Int? {
    output.withUnsafeBytes { output in
      guard output.count > start,
        let match = memmem(output.baseAddress! + start, output.count - start, text, text.count)
      else { return nil }
      return UnsafeRawPointer(match) - output.baseAddress! + text.count
    }
  }

  /// Reads the leader's reports: two ints each.
  mutating func read(_ bytes: [UInt8]) {
    statusBytes += bytes
    while statusBytes.count >= 8 {
      let numbers = statusBytes.withUnsafeBytes {
        ($0.loadUnaligned(as: Int32.self), $0.loadUnaligned(fromByteOffset: 4, as: Int32.self))
      }
      statusBytes.removeFirst(8)
      if numbers.0 == Int32(UInt8(ascii: "P")) { process = numbers.1 } else { change(numbers.1) }
    }
  }

  private mutating func change(_ status: Int32) {
    if pt_continued(status) != 0 {
      condition = .running
    } else if pt_stopped(status) != 0 {
      condition = .stopped(pt_exit_code(status))
      stops += 1
    } else if pt_exited(status) != 0 {
      condition = .ended(.exited(pt_exit_code(status)))
    } else {
      condition = .ended(.signalled(pt_signal(status)))
    }
  }
}
