import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// A drawn panda on the card.
@MainActor
@Suite struct GroveMotionTests {
  private let directory = TemporaryDirectory()

  private func start() async throws -> (AppDriver, still: any PreparedPicture) {
    // Seed 11 looks about with open eyes.
    let panda = try AppDriver(directory, source: BambooGroveSource(seed: { 11 }))
    try await panda.expectPicture()
    try await panda.expect(favorites: 0)
    try await eventually("the last request has ended") {
      panda.app.context.card.state.request == nil
    }
    panda.clock.advance(by: .seconds(9))
    try await eventually("only a moment is waited for") { panda.clock.waitingCount == 1 }
    return (panda, panda.cardPicture!)
  }

  @Test func `the grove moves briefly every ten to twenty seconds, with one delay`() async throws {
    let (panda, still) = try await start()
    for _ in 0..<2 {
      panda.clock.advance(by: .seconds(11))
      try await eventually("it moves") { panda.cardPicture !== still }
      #expect(panda.clock.waitingCount == 1)
      panda.clock.advance(by: GroveMotion.moment)
      try await eventually("it is as before") { panda.cardPicture === still }
      try await eventually("it waits for the next moment") { panda.clock.waitingCount == 1 }
      panda.clock.advance(by: .seconds(9))
      #expect(panda.clock.waitingCount == 1)
      #expect(panda.cardPicture === still)
    }
    try await panda.quit()
  }

  @Test func `what is sent without a frame does not make the terminal slow`() async throws {
    let (panda, still) = try await start()
    // As where a picture's pixels are sent ahead of its frame, long after the frame before.
    panda.display.take()
    panda.clock.advance(by: .seconds(11))
    try await eventually("it moves") { panda.cardPicture !== still }
    try await panda.quit()
  }

  @Test func `without focus no timer is pending`() async throws {
    let (panda, still) = try await start()
    panda.app.handle([.focus(false)])
    let frames = panda.display.frameCount
    try await eventually("a frame is made") { panda.display.frameCount > frames }
    panda.clock.advance(by: .seconds(60))
    try await eventually("nothing is waited for") { panda.clock.waitingCount == 0 }
    #expect(panda.cardPicture === still)
    panda.app.handle([.focus(true)])
    try await eventually("it waits for the next moment") { panda.clock.waitingCount == 1 }
    try await panda.quit()
  }

  @Test func `with reduceMotion no timer is pending`() async throws {
    let panda = try AppDriver(
      directory, source: BambooGroveSource(seed: { 11 }),
      configuration: Configuration(reduceMotion: true))
    try await panda.expectPicture()
    try await panda.expect(favorites: 0)
    try await eventually("the last request has ended") {
      panda.app.context.card.state.request == nil
    }
    panda.clock.advance(by: .seconds(60))
    #expect(panda.clock.waitingCount == 0)
    try await panda.quit()
  }
}
