/// Reads what comes while a terminal is asked: answers, and keys that were pressed meanwhile.
///
/// A pure state machine; `TerminalDetection` does the waiting.
struct TerminalProbe: Sendable {
  /// What the terminal has answered to the questions under way.
  private(set) var answers = TerminalAnswers()
  /// What came that is no answer.
  private(set) var input = EarlyInput()

  /// Takes bytes from the terminal.
  mutating func read(_ bytes: some Sequence<UInt8>) {
    for event in input.decoder.feed(bytes) {
      if case .reply(let reply) = event {
        if case .primaryAttributes = reply { input.sentinels -= 1 }
        answers.take(reply)
      } else {
        input.events.append(event)
      }
    }
  }

  /// Begins the next series of questions, whose answers are other ones.
  mutating func beginQuestions() {
    answers = TerminalAnswers()
    input.sentinels += 1
  }
}

/// What the person did before the keyboard was read, and what the terminal still owes.
struct EarlyInput: Sendable {
  /// Keys and the like, in order.
  var events: [InputEvent] = []
  /// The decoder, which may hold half a sequence.
  var decoder = KeyDecoder()
  /// How many answers to DA1 are still to come.
  var sentinels = 0
}
