import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession

/// Two Pandas in two terminals on one library, and commands: what one does, the others show.
@Suite(.timeLimit(.minutes(15))) struct LiveTests {
  let directory = TemporaryDirectory()

  private func start() throws -> PandaDriver { try PandaDriver(directory, source: "grove") }

  /// Runs a command on the library of the screens.
  private func command(_ arguments: String...) throws -> String {
    let result = try Subprocess.run(
      [BuildProducts.path(of: "panda"), "--data-dir", directory.path("data")] + arguments,
      environment: ["PATH=/usr/bin:/bin", "HOME=\(directory.url.path)"])
    #expect(result.status == 0, "\(result.output)")
    return result.output
  }

  @Test func `changes in a terminal or by a command appear in another, which outlives it`()
    async throws
  {
    let one = try start()
    try await one.tmux.expect(text: "☆")
    // It shows the panda that was seen last, after which none follows by itself: one of its own.
    let other = try start()
    try await other.expect(favorites: 0)
    try other.press(.card(.fetch))
    try await one.favorite(2)
    try await other.expect(favorites: 2)
    try await other.expectThumbnails()
    try one.press(.view(.nextPane), .favorites(.remove))
    try await other.expect(favorites: 1)
    try other.press(.favorites(.undo))
    try await one.expect(favorites: 2)
    try await one.killed()
    _ = try command("fetch", "--source", "grove", "--keep")
    try await other.expect(favorites: 3)
    let ids = try command("list", "--ids").split(separator: "\n")
    #expect(ids.count == 3)
    _ = try command("remove", String(ids[0]))
    try await other.expect(favorites: 2)
    try await other.favorite(1, after: 2)
    try await other.quit()
    let again = try start()
    try await again.expect(favorites: 3)
    try await again.quit()
  }
}
