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
    "A crash of Swift code restores the terminal",
    arguments: [
      ("trap", SIGILL), ("fatal-error", SIGILL), ("abort", SIGABRT), ("stack-overflow", SIGSEGV),
      ("overflow-on-queue", SIGSEGV),
    ])
  func crash(_ way: String, signal: Int32) async throws {
    try await expectRestored(try start(way), by: .signalled(signal))
  }

  @Test("Swift's backtrace printer, when asked for, neither hangs nor draws over the shell")
  func backtrace() async throws {
    let terminal = try start(
      "trap", environment: Self.environment + ["SWIFT_BACKTRACE=enable=yes"])
    try await expectRestored(terminal, by: .signalled(SIGILL))
  }

  @Test("An ordinary end restores the terminal once")
  func ordinaryEnd() async throws {
    try await expectRestored(try start("quit"), by: .exited(0))
  }

  @Test("What another thread draws at that moment does not follow the restore bytes")
  func drawingThread() async throws {
    for _ in 0..<10 {
      let terminal = try start("draw")
      try await terminal.waitForOutput(containing: "panda panda")
      try await terminal.kill(SIGTERM)
      try await expectRestored(terminal, by: .signalled(SIGTERM))
    }
  }

  @Test("A signal while the restore bytes change writes the old ones or the new ones, whole")
  func changingBytes() async throws {
    for _ in 0..<10 {
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

  @Test("A terminal that takes no output does not keep the program from ending")
  func heldTerminal() async throws {
    let terminal = try start("wait")
    try await terminal.waitForOutput(containing: "<ready>")
    try terminal.hold()
    try await terminal.kill(SIGTERM)
    #expect(try await terminal.waitForExit() == .signalled(SIGTERM))
    #expect(try terminal.modes == terminal.modesBefore)
  }

  @Test("A resize is reported, and a thousand of them do no harm")
  func resizes() async throws {
    let terminal = try start("wait")
    try await terminal.waitForOutput(containing: "<ready>")
    for number in 0..<1000 { try terminal.resize(columns: 40 + number % 80, rows: 24) }
    try await terminal.waitForOutput(containing: "<resized>")
    try await terminal.kill(SIGTERM)
    #expect(try await terminal.waitForExit() == .signalled(SIGTERM))
    try await terminal.waitForOutput(containing: Self.restore)
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

  @Test("Continued in the background, the program stops again before it touches the terminal")
  func background() async throws {
    let terminal = try start("wait")
    try await terminal.waitForOutput(containing: "<ready>")
    try await terminal.kill(SIGTSTP)
    try await terminal.waitFor("the stop") { $0 == .stopped(SIGTSTP) }
    let start = terminal.output.count
    try terminal.resume(inForeground: false)
    try await terminal.waitFor("the stop for touching the terminal") { $0 == .stopped(SIGTTOU) }
    #expect(try terminal.modes == terminal.modesBefore)
    #expect(!terminal.output.dropFirst(start).contains(Array("\u{1B}[?1049h".utf8)))
    try terminal.resume()
    try await terminal.waitForOutput(containing: "<resumed>", from: start)
    #expect(terminal.isForeground)
  }

  @Test("Stopped with SIGSTOP and continued in the background, it waits for the foreground")
  func hardStop() async throws {
    let terminal = try start("wait")
    try await terminal.waitForOutput(containing: "<ready>")
    try await terminal.kill(SIGSTOP)
    try await terminal.waitFor("the stop") { $0 == .stopped(SIGSTOP) }
    try terminal.resume(inForeground: false)
    try await terminal.waitFor("the stop for touching the terminal") { $0 == .stopped(SIGTTOU) }
    #expect(!terminal.output.contains(Array("<continued>".utf8)))
    try terminal.resume()
    try await terminal.waitForOutput(containing: "<continued>")
  }

  @Test("Ended while stopped, the program leaves the shell's terminal alone")
  func endedWhileStopped() async throws {
    let terminal = try start("wait")
    try await terminal.waitForOutput(containing: "<ready>")
    try await terminal.kill(SIGTSTP)
    try await terminal.waitFor("the stop") { $0 == .stopped(SIGTSTP) }
    try await terminal.waitForOutput(containing: Self.restore)
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
