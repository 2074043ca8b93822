internal import CPseudoTerminal
internal import CTerminalGuard
internal import Dispatch
internal import Glibc
internal import TerminalKit

/// A program that takes the terminal as Panda does, then waits, or ends in the way it is told.
@main
@MainActor
enum Probe {
  static func main() throws {
    if CommandLine.arguments.count == 3, let rounds = Int32(CommandLine.arguments[2]) {
      return leadSessions(CommandLine.arguments[1], rounds)
    }
    let terminalGuard = try TerminalGuard()
    try takeScreen()
    try terminalGuard.install { signals in
      MainActor.assumeIsolated { answer(signals, terminalGuard) }
    }
    switch CommandLine.arguments.dropFirst().first {
    case "trap": trap()
    case "fatal-error": fatalError("told to")
    case "abort": abort()
    case "stack-overflow": print(descend(1))
    case "overflow-on-queue":
      DispatchQueue.global().async {
        TerminalGuard.prepareThread()
        print(descend(1))
      }
    case "quit":
      terminalGuard.restore()
      terminalGuard.restore()
      terminalGuard.uninstall()
      exit(0)
    case "draw":
      // Draws without pause on another thread: nothing of it may follow the restore bytes.
      DispatchQueue.global().async {
        while true { write(STDOUT_FILENO, "panda panda panda", 17) }
      }
    case "update":
      // Changes the restore bytes without pause.
      DispatchQueue.main.async { update(terminalGuard) }
    default: break
    }
    say("ready")
    dispatchMain()
  }

  /// Prints how many of so many terminals got less than all that the leader of their session wrote.
  private static func leadSessions(_ way: String, _ rounds: Int32) {
    let ends = ["print": endAfterPrinting, "quit": quit, "signal": endBySignal]
    guard let end = ends[way] else { return }
    print(pt_cut_tails(rounds, 30_000, end))
  }

  private static func takeScreen() throws {
    var modes = termios()
    tcgetattr(STDIN_FILENO, &modes)
    cfmakeraw(&modes)
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    try TerminalGuard.write(
      Array("\u{1B}[?1049h\u{1B}[?25l\(TerminalModes.mouseOn)".utf8), to: STDOUT_FILENO)
  }

  private static func say(_ word: String) {
    // A terminal that is gone ends the probe by its own signal.
    try? TerminalGuard.write(Array("<\(word)>".utf8), to: STDOUT_FILENO)
  }

  private static func answer(
    _ signals: Set<TerminalGuard.Signal>, _ terminalGuard: TerminalGuard
  ) {
    if signals.contains(.resized) {
      say("resized")
    }
    if signals.contains(.stopRequested) {
      // Without job control there is nothing to stop for.
      try? terminalGuard.suspend()
      // Taking the screen cannot fail on a terminal that is there.
      try? takeScreen()
      say("resumed")
    }
    if signals.contains(.continued) { say("continued") }
  }

  private static func update(_ terminalGuard: TerminalGuard) {
    for number in 0..<1000 {
      // Refused once a signal is ending the process.
      try? terminalGuard.setRestore("<\(String(repeating: "\(number % 10)", count: 4000))>")
    }
    DispatchQueue.main.async { update(terminalGuard) }
  }

  private static func trap() {
    let numbers: [Int] = []
    print(numbers[CommandLine.arguments.count])
  }

  @inline(never)
  nonisolated private static func descend(_ depth: Int) -> Int {
    withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { buffer in
      buffer[0] = UInt8(truncatingIfNeeded: depth)
      return descend(depth + Int(buffer[0] & 1) + 1) + Int(buffer[0])
    }
  }
}

// How the leader of a session ends, as C calls it.

private let endAfterPrinting: @convention(c) () -> Void = {
  write(STDOUT_FILENO, "!", 1)
  tg_exit(0)
}

private let quit: @convention(c) () -> Void = {
  guardTerminal()
  tg_exit(0)
}

private let endBySignal: @convention(c) () -> Void = {
  guardTerminal()
  raise(SIGTERM)
}

private func guardTerminal() {
  var modes = termios()
  tcgetattr(STDOUT_FILENO, &modes)
  tg_install(STDOUT_FILENO, &modes, "!", 1)
}
