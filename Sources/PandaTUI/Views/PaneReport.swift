internal import PandaCore
internal import FoundationEssentials
internal import PandaSession

/// An event in a pane that concerns the whole screen.
enum PaneReport {
  case message(Message)
  case trouble(Trouble)

  static func all(
    for outcome: ActionOutcome, _ words: ActionWords, at date: Date
  ) -> [PaneReport] {
    switch outcome {
    case .done(let change): [.message(.outcome(words.sentence(for: change)))]
    case .refused(let refusal): [.message(.info(words.sentence(for: refusal)))]
    case .failed(let action, let error):
      [
        .trouble(Trouble(words.failure(of: action), error, at: date)),
        .message(.problem(words.sentence(forFailureOf: action, error))),
      ]
    }
  }
}
