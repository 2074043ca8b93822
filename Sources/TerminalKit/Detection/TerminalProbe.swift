/// Separates a terminal's answers from keys pressed while it is queried.
///
/// A pure state machine; `TerminalDetection` does the waiting.
package struct TerminalProbe: Sendable {
  package private(set) var answers = TerminalAnswers()
  /// All other input.
  package private(set) var input = EarlyInput()

  package init() {}

  package mutating func read(_ bytes: some Sequence<UInt8>) {
    let events = input.decoder.feed(bytes)
    input.owed.receive(events)
    for event in events {
      if case .reply(let reply) = event {
        answers.receive(reply)
      } else {
        input.events.append(event)
      }
    }
  }

  /// Begins the next series of questions with empty answers.
  package mutating func beginQuestions() {
    answers = TerminalAnswers()
    input.owed.ask()
  }
}
