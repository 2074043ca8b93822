internal import Dispatch
internal import Glibc

/// tmux's knowledge of the terminal that it runs in: the most recently used client's.
package struct TmuxSurroundings: Hashable, Sendable {
  /// The client's TERM; empty if unknown.
  package var term = ""
  /// The terminal's answer to tmux (XTVERSION); nil if there was none.
  package var version: TerminalVersion?
  /// The process id of the client, which tells one attached terminal from the next.
  package var client = ""
}

/// The tmux client's answer about its server.
package struct TmuxAnswer: Hashable, Sendable {
  /// Whether pictures and questions pass through to the terminal.
  package var hasPassthrough = false
  /// Whether they do so from windows that are not shown (`all`).
  package var passesHidden = false
  package var surroundings = TmuxSurroundings()
  /// Whether a client shows the window.
  package var isShown = false

  package init() {}

  /// Whether any client is attached.
  package var isAttached: Bool { !surroundings.client.isEmpty }

  /// Whether what passes through reaches a terminal.
  package var isReached: Bool { isShown || passesHidden && isAttached }
}

extension TmuxSurroundings {
  /// Reads `xterm-256color XTerm(379)`; without the second word if the terminal did not answer.
  init(answer: some StringProtocol) {
    let words = answer.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    term = String((words.first ?? "").prefix(60))
    version = words.count > 1 ? TerminalVersion(answer: String(words[1])) : nil
  }
}

/// A pending query to the tmux server that the program runs in.
///
/// The tmux client is started at once and read later, so that it works while the terminal is being
/// queried.
struct TmuxQuery: ~Copyable {
  /// The maximum length of an answer that is read.
  private static let answerLimit = 4_096

  private let process: pid_t
  private let output: Int32
  private let deadline: ContinuousClock.Instant

  /// Starts a tmux client without a shell; nil if that fails, as it does without tmux in PATH.
  ///
  /// Its target is the program's own pane, from the variable TMUX_PANE.
  package init?(deadline: ContinuousClock.Instant) {
    var ends: [Int32] = [-1, -1]
    guard let program = SearchPath.current.program("tmux"), pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let words = [
      "tmux", "display-message", "-p", "#{client_termname} #{client_termtype}", ";",
      "display-message", "-p", "#{client_pid} #{window_active_clients}", ";",
      "show-options", "-Apv", "allow-passthrough",
    ]
    let process = try? startProgram(program, words, output: ends[1])  // failing is no answer
    close(ends[1])
    guard let process else {
      close(ends[0])
      return nil
    }
    self.process = process
    self.output = ends[0]
    self.deadline = deadline
  }

  /// Waits until the deadline for the answer; nil if there was none.
  ///
  /// tmux before 3.3 has no option for passthrough and always passes through, but says "invalid
  /// option": it counts as off, and is old enough to leave alone.
  consuming func answer() -> TmuxAnswer? {
    var answer: [UInt8] = []
    var hasEnded = false
    while !hasEnded, answer.count < Self.answerLimit {
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, deadline.millisecondsLeft)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { break }
      var buffer = [UInt8](repeating: 0, count: Self.answerLimit)
      let count = read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { hasEnded = true } else { answer += buffer.prefix(count) }
    }
    close(output)
    // Otherwise waiting for a hung client would block.
    if !hasEnded { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return hasEnded ? TmuxAnswer(answer, hasOption: status == 0) : nil
  }
}

extension TmuxAnswer {
  /// Reads what the tmux client printed, three lines; the last one only if it has such an option.
  init?(_ answer: [UInt8], hasOption: Bool) {
    let lines = String(decoding: answer, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 2 else { return nil }
    surroundings = TmuxSurroundings(answer: lines[0])
    let numbers = lines[1].split(separator: " ", omittingEmptySubsequences: false)
    surroundings.client = String(numbers[0].prefix(20))
    isShown = numbers.count > 1 && (Int(numbers[1]) ?? 0) > 0
    guard hasOption else { return }
    // tmux 3.4 has `all`: also from windows that are not shown.
    passesHidden = lines[2] == "all"
    hasPassthrough = passesHidden || lines[2] == "on"
  }

  /// Asks the tmux client, on a thread of Dispatch.
  ///
  /// Nothing depends on when the answer comes, and a busy machine may take seconds.
  package static func current(
    within patience: Duration = .seconds(30), from moment: ContinuousClock.Instant = .now
  ) async -> Self? {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let answer =
          switch TmuxQuery(deadline: moment + patience) {
          case .some(let query): query.answer()
          case .none: nil as TmuxAnswer?
          }
        continuation.resume(returning: answer)
      }
    }
  }
}
