internal import TerminalKit

/// Describes a terminal, for the log.
enum TerminalWords {
  /// Returns a sentence about a detected terminal: its answers, its colors, the choice.
  static func sentence(_ terminal: DetectedTerminal) -> String {
    let profile = terminal.profile
    let multiplexer =
      switch profile.multiplexer {
      case .tmux(let passthrough): ", in tmux with passthrough \(passthrough ? "on" : "off")"
      case .screen: ", in GNU screen"
      case nil: ""
      }
    return "\(profile.version?.words ?? "A terminal that does not name itself")"
      + " with TERM=\(profile.environment.term)\(multiplexer) \(answered(profile)); "
      + "colors: \(profile.colors.words); pictures: \(terminal.choice.path.words), because "
      + terminal.choice.reason
  }

  private static func answered(_ profile: TerminalProfile) -> String {
    guard profile.wasAsked else { return "was not asked" }
    let time = profile.timeTaken.inMilliseconds
    return profile.isAnswered ? "answered after \(time)" : "did not answer within \(time)"
  }
}
