import Foundation
import PandaTestSupport
import Testing

@testable import PandaTUI
@testable import TerminalKit

/// An idle program.
@MainActor
@Suite struct IdleTests {
  private let directory = TemporaryDirectory()

  @Test func `an idle program waits for nothing`() async throws {
    let panda = try AppDriver(directory)
    try await panda.expectPicture()
    try await panda.expect(favorites: 0)
    panda.clock.advance(by: .seconds(60))
    try await eventually("the last request has ended") {
      panda.app.context.card.state.request == nil
    }
    panda.clock.advance(by: .seconds(60))
    let frames = panda.display.frameCount
    #expect(panda.clock.waitingCount == 0)
    panda.clock.advance(by: .seconds(3_600))
    #expect(panda.clock.waitingCount == 0)
    try await panda.quit()
    #expect(panda.display.frameCount - frames <= 2, "those of the last request and the key to quit")
  }
}
