import Foundation
import PandaCore
import PandaTestSupport
import Synchronization
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// How Panda bears the loss of the network.
@MainActor
@Suite struct OfflineTests {
  private let directory = TemporaryDirectory()

  private func server() throws -> PandaServer {
    try PandaServer(pictures: [SmallSource.png(1), SmallSource.png(2)], size: (64, 48))
  }

  @Test func `favorites work without the source, and its return is noticed`() async throws {
    let server = try server()
    defer { server.stop() }
    server.fail(with: LoopbackResponse(status: 503, body: "busy"))
    let panda = try AppDriver(
      directory,
      configuration: Configuration(
        autoAdvance: false, source: .endpoint(server.endpoint)))
    try await panda.expect(text: Sentence.drawnInstead)
    try await panda.expect(text: "trouble ─")
    try await panda.expect(text: "☆")
    try await panda.expect(text: "! why")
    try await panda.open(.program(.problem), "503")
    try await panda.expect(text: "tried at")
    try panda.press(.program(.cancel))
    try await panda.expect(noText: "cause")
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 1)
    try panda.press(.view(.nextPane), .favorites(.remove))
    try await panda.expect(favorites: 0)
    try panda.press(.favorites(.undo))
    try await panda.expect(favorites: 1)
    try await panda.expect(text: "Undone")
    // It is asked again by itself, in vain, and then less often.
    panda.clock.advance(by: Connection.firstWait)
    try await eventually("a second request fails") {
      panda.app.context.card.state.connection.failures == 2
    }
    server.fail(with: nil)
    panda.clock.advance(by: Connection.firstWait * 2)
    // That it has answered is not said over what the last key did.
    try await panda.expect(noText: "trouble")
    #expect(panda.display.text.contains("Undone"))
    try panda.press(.card(.fetch))
    try await panda.expect("a photo") { _ in panda.app.context.card.image?.width == 64 }
    try await panda.quit()
  }

  @Test func `fault 1: a failed lookup counts as offline, and recovers by itself`() async throws {
    let source = FlakySource()
    let panda = try AppDriver(
      directory, source: source, fallback: SmallSource(name: "grove", first: 50),
      configuration: Configuration(autoAdvance: false))
    try await panda.expect("the badge in the corner") { $0.lines[0].contains("offline ─") }
    try await panda.expect(text: "☆ Panda 50")
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 1)
    for failures in 1...3 {
      try await eventually("failure \(failures)") {
        panda.app.context.card.state.connection.failures == failures
      }
      // One request each time, and none in between.
      #expect(source.count == failures)
      if failures == 3 { source.isDown.store(false, ordering: .relaxed) }
      panda.clock.advance(by: Connection.firstWait * (1 << (failures - 1)) - .milliseconds(1))
      #expect(source.count == failures)
      panda.clock.advance(by: .milliseconds(1))
    }
    try await panda.expect(noText: "offline")
    try await panda.expect(favorites: 1)
    try panda.press(.card(.fetch))
    try await panda.expect(text: "☆ Panda 1 ")
    try await panda.quit()
  }

  @Test(arguments: [-400 * 86_400.0, 400 * 86_400.0])
  func `fault 30: the next attempt comes when due, although the wall clock jumps`(
    _ jump: TimeInterval
  ) async throws {
    let source = FlakySource()
    let panda = try AppDriver(
      directory, source: source, fallback: SmallSource(name: "grove"),
      configuration: Configuration(autoAdvance: false))
    try await eventually("the first failure") {
      panda.app.context.card.state.connection.failures == 1
    }
    panda.clock.jump = jump
    panda.clock.advance(by: Connection.firstWait - .milliseconds(1))
    #expect(source.count == 1)
    panda.clock.advance(by: .milliseconds(1))
    try await eventually("the second failure") {
      panda.app.context.card.state.connection.failures == 2
    }
    #expect(source.count == 2)
    try await panda.quit()
  }

  @Test func `the grove is the fallback of a source that never answers, and esc cancels`()
    async throws
  {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/random/json") { _, connection in connection.waitUntilClosed() }
    let panda = try AppDriver(
      directory, configuration: Configuration(source: .endpoint(server.url("/random/json"))))
    try await server.wait { $0.requests > 0 }
    try await panda.expect(text: "drawn · Bamboo Grove")
    panda.clock.advance(by: FetchWords.patience)
    try await panda.expectPicture()
    try panda.press(.card(.fetch), .program(.cancel))
    try await panda.expect(text: FetchWords(names: NoNames()).stopped)
    try await server.wait { $0.connections > 0 && $0.open == 0 }
    try await panda.quit()
  }
}
