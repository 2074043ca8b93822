internal import Dispatch
internal import Glibc
package import PictureCodecs

/// What tmux says of the terminal that it runs in: the most recently used client's.
package struct TmuxSurroundings: Hashable, Sendable {
  /// The process id of the client, which tells one attached terminal from the next; empty if none
  /// is attached.
  package var client = ""
  /// The client's TERM; empty if unknown.
  package var term = ""
  /// The terminal's answer to tmux (XTVERSION); nil if there was none.
  package var version: TerminalVersion?
  package var cell: PixelSize?
  /// Whether tmux sends the terminal 24-bit colors as they are.
  package var hasDirectColor = false
  /// Whether tmux sends the terminal sixel pictures; from tmux 3.4.
  package var hasSixel = false
  package var hasPassthrough = false

  package init() {}

  /// The format of tmux that ``init(answer:)`` reads; what a version does not know is empty.
  static let format =
    "#{client_pid} #{client_termname} #{client_termfeatures} "
    + "#{client_cell_width}x#{client_cell_height} #{allow-passthrough} #{client_termtype}"

  package init?(answer: [UInt8]) {
    let fields = String(decoding: answer.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      .split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
    guard fields.count == 6 else { return nil }
    client = String(fields[0].prefix(20))
    term = String(fields[1].prefix(60))
    let features = fields[2].split(separator: ",")
    (hasDirectColor, hasSixel) = (features.contains("RGB"), features.contains("sixel"))
    let sides = fields[3].split(separator: "x").compactMap { Int($0) }
    cell = sides.count == 2 ? PixelSize(width: sides[0], height: sides[1]) : nil
    // A flag in tmux 3.3; 3.4 has `all`: also from windows that are not shown.
    hasPassthrough = ["1", "on", "all"].contains(fields[4])
    version = TerminalVersion(answer: String(fields[5]))
  }

  /// Asks tmux, on a thread of Dispatch; nil without an answer in time.
  package static func current(
    within patience: Duration, from moment: ContinuousClock.Instant = .now
  ) async -> Self? {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let answer =
          switch TmuxQuery(.current, deadline: moment + patience) {
          case .some(let query): query.answer()
          case .none: nil as Self?
          }
        continuation.resume(returning: answer)
      }
    }
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
  /// Its target is the program's own pane: without one, tmux answers for the active pane.
  init?(_ environment: TerminalEnvironment, deadline: ContinuousClock.Instant) {
    var ends: [Int32] = [-1, -1]
    guard let program = SearchPath.current.program("tmux"), pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let target = environment["TMUX_PANE"].map { ["-t", $0] } ?? []
    let process = try? startProgram(  // failing is no answer
      program, ["tmux", "display-message", "-p"] + target + [TmuxSurroundings.format],
      output: ends[1])
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
  consuming func answer() -> TmuxSurroundings? {
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
    return hasEnded ? TmuxSurroundings(answer: answer) : nil
  }
}
