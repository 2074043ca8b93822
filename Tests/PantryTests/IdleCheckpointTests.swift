import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// The file of a program that has written, and waits.
@MainActor
@Suite struct IdleCheckpointTests {
  private let directory = TemporaryDirectory()

  @Test func `an idle program leaves its data in the file, without its log`() async throws {
    let store = try await Store<Note>(storage: directory.engine())
    for note in Note.numbered(0..<3) { try await store.add(note) }
    let copy = TemporaryDirectory()
    try await eventually("the file has the notes") {
      try? FileManager.default.removeItem(atPath: copy.path("copy"))  // of the last attempt
      try FileManager.default.copyItem(atPath: directory.file.path, toPath: copy.path("copy"))
      let database = try Database(path: copy.path("copy"), access: .readingImmutable)
      return (try? database.integer("SELECT count(*) FROM item")) == 3  // no table before
    }
    // It was copied, and goes on.
    try await store.add(Note(id: "new"))
    #expect(try await directory.engine().keyCount() == 4)
  }
}
