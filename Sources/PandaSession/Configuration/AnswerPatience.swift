internal import Glibc
package import TerminalKit

extension TerminalDetection.Patience {
  /// The user's limit for the terminal's answers, `PANDA_ANSWER_SECONDS`, from 1 to 60; without it,
  /// `standard`.
  ///
  /// For slow lines and busy machines, where Panda would give up too early.
  package static func ofUser(else standard: Self = .launch) -> Self {
    guard let text = getenv("PANDA_ANSWER_SECONDS"), let seconds = Int(String(cString: text)),
      (1...60).contains(seconds)
    else { return standard }
    return Self(terminal: .seconds(seconds), tmux: .seconds(seconds))
  }
}
