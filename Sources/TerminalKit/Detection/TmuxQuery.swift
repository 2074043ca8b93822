internal import Glibc

/// tmux's knowledge of the terminal that it runs in: the most recently used client's.
package struct TmuxSurroundings: Hashable, Sendable {
  /// The client's TERM; empty if unknown.
  package var term = ""
  /// The terminal's answer to tmux (XTVERSION); nil if there was none.
  package var version: TerminalVersion?
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

  /// Waits until the deadline for whether passthrough is on, and where tmux runs.
  ///
  /// No answer means off. tmux before 3.3 has no such option and always passes through, but says
  /// "invalid option": it counts as off, and is old enough to leave alone.
  consuming func answer() -> (hasPassthrough: Bool, surroundings: TmuxSurroundings) {
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
    let lines = String(decoding: answer, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    return (
      hasEnded && status == 0 && lines.count > 1 && Self.saysOn(Array(lines[1].utf8)),
      lines.count > 1 ? TmuxSurroundings(answer: lines[0]) : TmuxSurroundings()
    )
  }

  /// Reads `on`, `off` or `all` (tmux 3.4: also from invisible panes).
  static func saysOn(_ answer: [UInt8]) -> Bool {
    let word = answer.prefix { $0 != UInt8(ascii: "\n") }
    return word.elementsEqual("on".utf8) || word.elementsEqual("all".utf8)
  }
}
