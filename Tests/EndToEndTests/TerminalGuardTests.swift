internal import Glibc
internal import PandaTestSupport
internal import Testing

/// The guard, by way of a small program that takes the terminal as Panda does.
@Suite(.timeLimit(.minutes(15)))
struct TerminalGuardTests {
  /// What gives the screen back, spelled out: the program's own constant could be wrong with it.
  static let restore =
    "\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1006l\u{1B}[?2004l"
    + "\u{1B}[?1004l\u{1B}[?25h\u{1B}[?1049l"

  static let environment = ["TERM=xterm-256color", "LANG=C.UTF-8", "PATH=/usr/bin:/bin"]

  private func start(
    _ arguments: String..., environment: [String] = Self.environment
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      try BuildProducts.path(of: "TerminalGuardProbe"), arguments, environment: environment)
  }

  /// The end, the modes and the last bytes: nothing may follow what gives the screen back.
  private func expectRestored(
    _ terminal: PseudoTerminal, by exit: PseudoTerminal.Exit,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(try await terminal.waitForExit() == exit, sourceLocation: sourceLocation)
    try await terminal.waitForOutput(containing: Self.restore)
    #expect(try terminal.modes == terminal.modesBefore, sourceLocation: sourceLocation)
    #expect(
      terminal.output.suffix(Self.restore.utf8.count).elementsEqual(Self.restore.utf8),
      "\(terminal.readableOutput.suffix(400))", sourceLocation: sourceLocation)
    #expect(
      terminal.count(of: Self.restore) == 1, "restored once", sourceLocation: sourceLocation)
  }

  @Test(
    "A signal that ends the program restores the terminal first and is what the program dies of",
    arguments: SignalWhileDrawingTests.signals)
  func signal(_ number: Int32) async throws {
    let terminal = try start("wait")
    try await terminal.waitForOutput(containing: "<ready>")
    #expect(try terminal.modes != terminal.modesBefore)
    try await terminal.kill(number)
    try await expectRestored(terminal, by: .signalled(number))
  }

  @Test(
    "A crash of Swift code restores the terminal, and so does an ordinary end, once",
    arguments: [
      ("trap", SIGILL), ("fatal-error", SIGILL), ("abort", SIGABRT), ("stack-overflow", SIGSEGV),
      ("overflow-on-queue", SIGSEGV), ("quit", nil),
    ])
  func crash(_ way: String, signal: Int32?) async throws {
    try await expectRestored(
      try start(way), by: signal.map { .signalled($0) } ?? .exited(0))
    // Swift's backtrace printer neither hangs nor draws over the shell.
    guard way == "trap" else { return }
    let terminal = try start(
      way, environment: Self.environment + ["SWIFT_BACKTRACE=enable=yes"])
    try await expectRestored(terminal, by: .signalled(SIGILL))
  }

  @Test("What another thread draws at that moment does not follow the restore bytes")
  func drawingThread() async throws {
    for _ in 0..<Torture.rounds(3, orTorture: 100) {
      let terminal = try start("draw")
      try await terminal.waitForOutput(containing: "panda panda")
      try await terminal.kill(SIGTERM)
      try await expectRestored(terminal, by: .signalled(SIGTERM))
    }
  }

  @Test("A signal while the restore bytes change writes the old ones or the new ones, whole")
  func changingBytes() async throws {
    for _ in 0..<Torture.rounds(3, orTorture: 100) {
      let terminal = try start("update")
      try await terminal.waitForOutput(containing: "<ready>")
      let start = terminal.output.count
      try await terminal.kill(SIGTERM)
      #expect(try await terminal.waitForExit() == .signalled(SIGTERM))
      try await eventually("the restore bytes", seen: { terminal.readableOutput }) {
        (terminal.output.count > start && terminal.output.last == UInt8(ascii: ">"))
          || terminal.count(of: Self.restore) == 1
      }
      let written = terminal.output.dropFirst(start)
      #expect(
        Set(written.dropFirst().dropLast()).count == 1 || written.elementsEqual(Self.restore.utf8))
      let modes = try terminal.modes
      #expect(modes == terminal.modesBefore, "\(terminal.readableOutput.suffix(400))")
    }
  }

  @Test("A thousand resizes do no harm, and a terminal that takes no output stops no end")
  func heldTerminal() async throws {
    let terminal = try start("wait")
    try await terminal.waitForOutput(containing: "<ready>")
    for number in 0..<1000 { try terminal.resize(columns: 40 + number % 80, rows: 24) }
    try await terminal.waitForOutput(containing: "<resized>")
    try terminal.hold()
    try await terminal.kill(SIGTERM)
    #expect(try await terminal.waitForExit() == .signalled(SIGTERM))
    #expect(try terminal.modes == terminal.modesBefore)
  }

  @Test("A stop gives the terminal back, fg takes it again, and a signal then still restores it")
  func suspension() async throws {
    let terminal = try start("wait")
    try await terminal.waitForOutput(containing: "<ready>")
    for round in 1...2 {
      let start = terminal.output.count
      try await terminal.kill(SIGTSTP)
      try await terminal.waitFor("the stop") { $0 == .stopped(SIGTSTP) }
      #expect(terminal.stops == round)
      #expect(try terminal.modes == terminal.modesBefore)
      try await terminal.waitForOutput(containing: Self.restore, from: start)
      try terminal.resume()
      try await terminal.waitForOutput(containing: "<resumed>", from: start)
      try await terminal.waitForOutput(containing: "<continued>", from: start)
      #expect(try terminal.modes != terminal.modesBefore)
    }
    let start = terminal.output.count
    try await terminal.kill(SIGTERM)
    #expect(try await terminal.waitForExit() == .signalled(SIGTERM))
    try await terminal.waitForOutput(containing: Self.restore, from: start)
    #expect(try terminal.modes == terminal.modesBefore)
  }

  @Test(
    "Continued in the background, the program stops before it touches the terminal, even to end",
    arguments: [SIGTSTP, SIGSTOP])
  func background(_ stop: Int32) async throws {
    let terminal = try start("wait")
    try await terminal.waitForOutput(containing: "<ready>")
    try await terminal.kill(stop)
    try await terminal.waitFor("the stop") { $0 == .stopped(stop) }
    let start = terminal.output.count
    try terminal.resume(inForeground: false)
    try await terminal.waitFor("the stop for touching the terminal") { $0 == .stopped(SIGTTOU) }
    let modes = try terminal.modes
    #expect(stop == SIGSTOP || modes == terminal.modesBefore)
    #expect(terminal.count(of: "\u{1B}[?1049h", from: start) == 0)
    #expect(terminal.count(of: "<continued>") == 0)
    try terminal.resume()
    try await terminal.waitForOutput(containing: "<continued>", from: start)
    #expect(terminal.isForeground)
    // Ended while stopped, it leaves the shell's terminal alone.
    let stopped = terminal.output.count
    try await terminal.kill(SIGTSTP)
    try await terminal.waitFor("the stop") { $0 == .stopped(SIGTSTP) }
    try await terminal.waitForOutput(containing: Self.restore, from: stopped)
    let output = terminal.output
    try await terminal.kill(SIGTERM)
    try terminal.resume(inForeground: false)
    #expect(try await terminal.waitForExit() == .signalled(SIGTERM))
    #expect(terminal.output == output)
  }

  @Test(
    "The leader of a session waits at its end until the terminal has all that it wrote",
    arguments: ["print", "quit", "signal"])
  func lead(_ way: String) throws {
    let rounds = Torture.rounds(100, orTorture: 5_000)
    let cut = try Subprocess.run(
      [BuildProducts.path(of: "TerminalGuardProbe"), way, "\(rounds)"],
      environment: Self.environment)
    #expect(cut.status == 0 && cut.output == "0\n", "of \(rounds): \(cut.output)")
  }
}
