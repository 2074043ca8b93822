internal import TerminalKit

/// Describes a terminal, for the log.
enum TerminalWords {
  /// Returns a sentence about a detected terminal: its answers, its colors, the choice.
  static func sentence(_ terminal: DetectedTerminal) -> String {
    let profile = terminal.profile
    let multiplexer =
      switch profile.multiplexer {
      case .tmux: ", in tmux \(surroundings(profile.surroundings))"
      case .screen: ", in GNU screen"
      case .zellij: ", in Zellij"
      case nil: ""
      }
    return "\(profile.version?.words ?? "A terminal that does not name itself")"
      + " with TERM=\(profile.environment.term)\(multiplexer) \(answered(profile)); "
      + "colors: \(profile.colors.words); pictures: \(terminal.choice.path.words), because "
      + terminal.choice.reason
  }

  private static func surroundings(_ surroundings: TmuxSurroundings?) -> String {
    guard let surroundings else { return "that did not answer" }
    let state = surroundings.hasPassthrough ? "on" : "off"
    return "in \(surroundings.version?.words ?? "an unknown terminal") with passthrough \(state)"
  }

  private static func answered(_ profile: TerminalProfile) -> String {
    guard profile.wasAsked else { return "was not asked" }
    let time = profile.timeTaken.inMilliseconds
    return profile.isAnswered ? "answered after \(time)" : "did not answer within \(time)"
  }
}
