import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import TerminalKit
import Testing

@testable import PandaTUI

@MainActor
@Suite struct AppTests {
  private let directory = TemporaryDirectory()

  @Test func `a favorite is in the carousel, and there after a relaunch`() async throws {
    let panda = try AppDriver(directory)
    try await panda.expectPicture()
    try await panda.favorite(2)
    try await panda.quit()
    let again = try AppDriver(directory)
    try await again.expect(favorites: 2)
    try await again.quit()
  }

  @Test func `an idle program waits for nothing`() async throws {
    let panda = try AppDriver(directory)
    try await panda.expectPicture()
    try await panda.expect(favorites: 0)
    panda.clock.advance(by: .seconds(60))
    try await eventually("the last request has ended") { panda.app.card.state.request == nil }
    panda.clock.advance(by: .seconds(60))
    let frames = panda.display.frameCount
    #expect(panda.clock.waitingCount == 0)
    panda.clock.advance(by: .seconds(3_600))
    #expect(panda.clock.waitingCount == 0)
    try await panda.quit()
    #expect(panda.display.frameCount - frames <= 1, "the key to quit is the only reason for one")
  }

  @Test func `what another terminal undoes takes the key away here`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(1)
    try await panda.expect(text: "u undo")
    let other = ImageLibrary(
      in: StorageDirectory(url: directory.url.appending(path: "data")))
    _ = try await other.undo()
    try await panda.expect(favorites: 0)
    try await panda.expect(noText: "u undo")
    try await panda.quit()
  }
}
