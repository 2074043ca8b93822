import Testing

@testable import PandaTUI

@Suite struct MessageTests {
  @Test func `a late outcome never replaces the answer to a newer key`() {
    let answer = Message.info("Not now")
    #expect(!Message.outcome("Kept").replaces(answer))
    #expect(answer.replaces(.outcome("Kept")))
  }

  @Test func `outcomes follow each other, and replace unsolicited messages`() {
    #expect(Message.outcome("Undone").replaces(.outcome("Kept")))
    #expect(Message.outcome("Undone").replaces(.news("Openverse has answered")))
    #expect(Message.outcome("Your favorites have been read").replaces(.problem("Locked")))
    #expect(Message.outcome("Undone").replaces(nil))
    #expect(!Message.news("Openverse has answered").replaces(.outcome("Undone")))
  }
}
