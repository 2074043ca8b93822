internal import Testing

@testable import TerminalKit

/// How long the program reads at its end, before the shell would.
struct OwedAnswersTests {
  private let asked = ContinuousClock.now

  private func deadline(afterSeconds seconds: Int, answered: Int = 0, asked times: Int = 1)
    -> Duration?
  {
    var owed = OwedAnswers()
    for _ in 0..<times { owed.ask(at: asked) }
    owed.receive(Array(repeating: .reply(.primaryAttributes([62])), count: answered))
    let end = asked + .seconds(seconds)
    return owed.deadline(endingAt: end).map { $0 - end }
  }

  @Test("What is owed is waited for, a second after the question or, if the terminal answers, now")
  func patience() {
    #expect(deadline(afterSeconds: 0) == .seconds(1))
    #expect(deadline(afterSeconds: 0, answered: 1) == nil)
    // A silent terminal delays no quit after the program's first second.
    #expect(deadline(afterSeconds: 1) == .zero)
    #expect(deadline(afterSeconds: 60) == .zero)
    #expect(deadline(afterSeconds: 60, answered: 1, asked: 2) == .seconds(1))
    #expect(deadline(afterSeconds: 60, answered: 3, asked: 2) == nil)
    #expect(OwedAnswers().deadline(endingAt: asked) == nil)
    // What the terminal did not take, it does not answer.
    var owed = OwedAnswers()
    for _ in 1...3 { owed.ask(at: asked) }
    owed.drop(Array("text\u{1B}[>q\u{1B}[cmore\u{1B}[c".utf8))
    #expect(owed.count == 1)
  }
}
