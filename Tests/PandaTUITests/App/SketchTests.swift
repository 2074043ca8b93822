import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession

/// What a first launch shows while its panda is being drawn.
@MainActor
@Suite struct SketchTests {
  private let directory = TemporaryDirectory()

  /// Sketches at once, and finishes the picture when it is told to.
  private struct SlowArtist: ImageSource {
    let name = "grove"
    let picture = SmallSource(name: "grove")
    let gate = AsyncStream<Void>.makeStream()

    func sketchNext() async throws -> FetchedImage? {
      FetchedImage(
        url: URL(string: "https://zoo.example/sketch")!, data: try SmallSource.png(7), source: name)
    }

    func fetchImage(
      progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedImage {
      for await _ in gate.stream { break }
      return try await picture.fetchImage(progress: progress)
    }
  }

  @Test func `a sketch is seen until the drawing is there, and cannot be kept`() async throws {
    let artist = SlowArtist()
    let panda = try AppDriver(directory, source: SilentSource(), fallback: artist)
    try await panda.expectPicture()
    #expect(panda.shown.isEmpty, "it has no star")
    try panda.press(.favorites(.favorite))
    try await panda.expectAnotherFrame()
    artist.gate.continuation.yield()
    try await panda.expect(text: "☆ Panda 1 ")
    try await panda.expect(favorites: 0)
    try await panda.expectPicture()
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 1)
    try await panda.quit()
  }
}
