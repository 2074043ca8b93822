import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaTUI

/// Two Pandas in two terminals on one library: what one does, the other shows.
@Suite(.timeLimit(.minutes(15))) struct LiveTests {
  let directory = TemporaryDirectory()

  private func start() throws -> PandaDriver { try PandaDriver(directory, source: "grove") }

  @Test func `changes in one terminal appear in the other, which outlives it`() async throws {
    let one = try start()
    let other = try start()
    try await other.expect(favorites: 0)
    try await one.favorite(2)
    try await other.expect(favorites: 2)
    try await other.expectThumbnails()
    try one.press(.view(.nextPane), .favorites(.remove))
    try await other.expect(favorites: 1)
    try other.press(.favorites(.undo))
    try await one.expect(favorites: 2)
    try await one.killed()
    try await other.favorite(1, after: 2)
    try await other.quit()
    let again = try start()
    try await again.expect(favorites: 3)
    try await again.quit()
  }
}
