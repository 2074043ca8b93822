/// What happened in a pane that concerns the whole screen.
enum PaneReport {
  case message(Message)
  case trouble(Trouble)
  /// A picture that is new to the card is on it.
  case newPicture

  /// The reports of an outcome.
  static func all(for outcome: ActionOutcome, _ words: ActionWords) -> [PaneReport] {
    switch outcome {
    case .done(let deed): [.message(.info(words.sentence(for: deed)))]
    case .refused(let refusal): [.message(.info(words.sentence(for: refusal)))]
    case .failed(let action, let error):
      [
        .trouble(Trouble(words.failure(of: action), error)),
        .message(.problem(words.sentence(forFailureOf: action, error))),
      ]
    }
  }
}
