import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// The library of a file that cannot be written.
@MainActor
@Suite struct UnsavedEngineTests {
  private let fixture = ExchangeFixture()

  private func unsaved() throws -> UnsavedEngine {
    UnsavedEngine(
      over: try SQLiteStorageEngine(
        directory: StorageDirectory(url: URL(filePath: fixture.path("library"))),
        databaseFilename: "favorites.sqlite", readOnly: true),
      reason: .readOnly(path: "/"), namespace: "RemoteImage")
  }

  @Test func `fault 74: favorites of a file are shown and changed in memory, and the file stays`()
    async throws
  {
    let images = (1...3).map { RemoteImage.sample($0) }
    let saved = try await fixture.library(images)
    let engine = try unsaved()
    let library = ImageLibrary(favorites: .images(on: engine))
    try await library.load()
    #expect(library.favorites.items == images)
    #expect(await !library.hasUnsavedChanges)
    // A transaction over favorites, trash and history, and its undoing.
    try await library.remove([images[0]])
    #expect(library.favorites.items.count == 2)
    #expect(try await library.undo()?.count == 1)
    try await library.setCaption("Mei", of: [images[1]])
    try await library.save(.sample(4))
    #expect(
      library.favorites.items.map(\.id).sorted() == (images + [.sample(4)]).map(\.id).sorted())
    #expect(await library.hasUnsavedChanges)
    for image in library.favorites.items {
      let number = Int(image.url.lastPathComponent)
      #expect(
        try await image.dataRepresentation.data() == RemoteImage.picture(try #require(number)))
    }
    #expect(saved.favorites.items == images)
    await saved.close()
    let again = fixture.library()
    try await again.load()
    #expect(again.favorites.items == images)
  }

  @Test func `a new picture is in memory as long as a row or a value refers to it`() async throws {
    try await fixture.library([.sample(1)]).close()
    let engine = try unsaved()
    let store = try await Store<RemoteImage>(storage: engine, upgrades: RemoteImage.upgrades)
    var image: RemoteImage? = .sample(2)
    let digest = try #require(image?.dataRepresentation.digest)
    try await store.add(try #require(image))
    #expect(try await engine.attachmentData(for: digest) == RemoteImage.picture(2))
    try await store.remove(try #require(image))
    #expect(try await image?.dataRepresentation.data() == RemoteImage.picture(2))
    image = nil
    try await eventually("the picture is freed") {
      await engine.sweepAttachments()
      return try await engine.attachmentData(for: digest) == nil
    }
  }
}
