import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession

/// What a person does with Panda, in a real terminal against a real server.
@Suite struct StoryTests {
  let directory = TemporaryDirectory()

  @Test func `the whole story: see, favorite, remove, relaunch without network, clear`()
    async throws
  {
    let server = try PandaServer(pictures: ServedPictures.all())
    defer { server.stop() }
    let panda = try PandaDriver(directory, source: server.endpoint.absoluteString)
    try await panda.expectPicture()
    try await panda.tmux.expect(text: Sentence.invitation)
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 1)
    // The star is seen, then the next one comes by itself; favoriting that makes two.
    try await panda.tmux.expect(text: "☆")
    try panda.press(.card(.fetch))
    try await panda.tmux.expect(text: "☆")
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 2)
    try await panda.expectThumbnails()
    try panda.press(.view(.nextPane), .move(.right), .favorites(.remove))
    try await panda.expect(favorites: 1)
    try await panda.quit()
    server.stop()

    let again = try PandaDriver(directory, source: server.endpoint.absoluteString)
    try await again.expect(favorites: 1)
    try await again.expectThumbnails()
    // With the server gone, what was seen last is there; who asks for another gets a drawing.
    try await again.tmux.expect(text: Sentence.failedAtLaunch)
    try await again.tmux.expect(text: "trouble ─")
    try await again.expectPicture()
    try again.press(.card(.fetch))
    try await again.tmux.expect(text: Sentence.drawnInstead(KeyTable.standard))
    try await again.expectPicture()
    try await again.open(.favorites(.clear), Sentence.clearQuestion(1))
    try again.tmux.press(.enter)
    try await again.tmux.expect("the question is gone") {
      !$0.contains(Sentence.clearQuestion(1))
    }
    try await again.expect(favorites: 1)
    try await again.open(.favorites(.clear), Sentence.clearQuestion(1))
    try again.tmux.press("y")
    try await again.expect(favorites: 0)
    try await again.tmux.expect(text: Sentence.invitation)
    try await again.quit()
  }
}
