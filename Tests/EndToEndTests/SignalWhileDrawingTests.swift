import Foundation
import Glibc
import PandaTestSupport
import Testing

/// The real program, ended by a signal while it draws a frame.
@Suite(.timeLimit(.minutes(15)))
struct SignalWhileDrawingTests {
  /// Every signal that ends a program unless it is caught, but for those of real time.
  static let signals = [
    SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGUSR1,
    SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGSYS, SIGIO, SIGPWR, SIGSTKFLT,
  ]

  /// How often each signal is sent: once, or PANDA_SIGNAL_ROUNDS times.
  static let rounds = ProcessInfo.processInfo.environment["PANDA_SIGNAL_ROUNDS"].flatMap { Int($0) }

  /// The others have the same handler: TerminalGuardTests tries all.
  @Test(arguments: Torture.isOn ? signals : [SIGTERM, SIGHUP, SIGINT, SIGSEGV])
  func `a signal during a frame restores the terminal and is the exit status`(_ signal: Int32)
    async throws
  {
    let directory = TemporaryDirectory()
    let library = try PreloadedLibrary.built(
      from: #require(Bundle.module.url(forResource: "Fixtures/slow-handler", withExtension: "c")))
    defer { withExtendedLifetime(library) {} }
    for round in 0..<(Self.rounds ?? 1) {
      let panda = try PseudoTerminal(
        BuildProducts.path(of: "panda"),
        ["--source", "grove", "--data-dir", directory.path("data-\(round)")],
        environment: [
          "TERM=xterm-256color", "LANG=C.UTF-8", "HOME=\(directory.path("home"))",
          "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
          "XDG_CONFIG_HOME=\(directory.path("config"))", "LD_PRELOAD=\(library.path)",
        ], columns: 100, rows: 30)
      try await panda.waitForOutput(containing: Sentence.invitation)
      try await panda.kill(signal)
      // The handler is waiting now: this opens the help, which cannot be drawn any more.
      try panda.write("?")
      #expect(try await panda.waitForExit() == .signalled(signal))
      try await panda.waitForOutput(containing: TerminalGuardTests.restore)
      #expect(
        panda.output.suffix(TerminalGuardTests.restore.utf8.count)
          .elementsEqual(TerminalGuardTests.restore.utf8),
        "\(panda.readableOutput.suffix(400))")
      #expect(try panda.modes == panda.modesBefore)
    }
  }
}
