/// Reads what comes while a terminal is asked: answers, and keys that were pressed meanwhile.
///
/// A pure state machine; `TerminalDetection` does the waiting.
package struct TerminalProbe: Sendable {
  /// What the terminal has answered to the questions under way.
  package private(set) var answers = TerminalAnswers()
  /// What came that is no answer.
  package private(set) var input = EarlyInput()

  package init() {}

  /// Takes bytes from the terminal.
  package mutating func read(_ bytes: some Sequence<UInt8>) {
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
  package mutating func beginQuestions() {
    answers = TerminalAnswers()
    input.sentinels += 1
  }
}
