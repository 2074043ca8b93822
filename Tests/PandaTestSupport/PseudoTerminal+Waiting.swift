/// Waiting for what the program prints, and for how it stops or ends.
extension PseudoTerminal {
  /// Waits until the program has printed some text.
  ///
  /// - Parameters:
  ///   - text: what must be in the output.
  ///   - start: where in the output to begin, in bytes.
  ///   - deadline: how long to wait.
  /// - Throws: `TestFailure` after the deadline, or once the program has ended without it.
  public func waitForOutput(
    containing text: String, from start: Int = 0, deadline: Duration = .seconds(240)
  ) async throws {
    try await whileItLives("output containing \(text.debugDescription)", deadline: deadline) {
      count(of: text, from: start) > 0
    }
  }

  /// Waits until the program is in some condition.
  ///
  /// - Throws: `TestFailure` after the deadline, or once the program has ended otherwise.
  public func waitFor(
    _ what: String, deadline: Duration = .seconds(240), where holds: (Condition) -> Bool
  ) async throws {
    try await whileItLives(what, deadline: deadline) { holds(condition) }
  }

  /// Waits until the program has ended.
  public func waitForExit(deadline: Duration = .seconds(240)) async throws -> Exit {
    try await waitFor("the program's end", deadline: deadline) {
      if case .ended = $0 { true } else { false }
    }
    guard case .ended(let exit) = condition else { throw TestFailure("It ended and lives.") }
    takeRest()
    return exit
  }

  /// Waits until something holds, and no longer than the program lives.
  private func whileItLives(
    _ what: String, deadline: Duration, condition holds: () -> Bool
  ) async throws {
    func seen() -> String { "The program: \(condition). Output: \(readableOutput)" }
    try await eventually(what, deadline: deadline, seen: seen) {
      if holds() { return true }
      guard case .ended = condition else { return false }
      // What it printed last may arrive after the news of its end.
      takeRest()
      guard !holds() else { return true }
      throw TestFailure("The program ended before: \(what)\n\(seen())")
    }
  }
}
