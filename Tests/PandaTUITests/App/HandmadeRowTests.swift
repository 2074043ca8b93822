import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import Pantry
@testable import TerminalKit

/// Rows that someone put into the database by hand.
@MainActor
@Suite struct HandmadeRowTests {
  private let directory = TemporaryDirectory()
  private let hostile = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m\u{202E}x"

  /// A favorite with hostile texts and bytes that are no picture.
  private func image(_ name: String, _ bytes: Data) throws -> RemoteImage {
    RemoteImage(
      createdAt: Date(timeIntervalSince1970: 1_790_000_000),
      url: try #require(URL(string: "https://zoo.example/\(name)")), width: 64, height: 48,
      dataRepresentation: Attachment(bytes), source: hostile, title: "\(name)\(hostile)",
      credit: hostile, license: hostile, caption: hostile, tags: [hostile])
  }

  private func change(_ sql: String) throws {
    try Database(path: directory.path("data/favorites.sqlite"), access: .writing).execute(sql)
  }

  @Test func `fault 54: a row without a picture has a placeholder, and can be removed`()
    async throws
  {
    let library = ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data")))
    try await library.favorites.add([
      image("text", Data("<html>\(hostile)</html>".utf8)), image("empty", Data()),
      image("zeros", Data(count: 1_000)), image("replaced", Data("wah".utf8)),
    ])
    await library.close()
    // Another digest, and more bytes than any picture may have.
    try change("UPDATE attachment SET bytes = zeroblob(30000000) WHERE byteCount = 3")

    let panda = try AppDriver(directory, columns: 140)
    try await panda.expect(favorites: 4)
    try panda.press(.view(.nextPane))
    try await panda.expect("a placeholder for each") { display in
      display.text.count { $0 == "⊘" } == 4
    }
    try panda.press(.favorites(.show))
    for count in (0..<4).reversed() {
      try await panda.expect("nothing that steers a terminal") { display in
        display.text.unicodeScalars.allSatisfy {
          $0 == "\n" || $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0 != "\u{202E}"
        }
      }
      try panda.press(.favorites(.remove))
      try await panda.expect(favorites: count)
    }
    try await panda.quit()
  }

  @Test(arguments: [
    "'null'", "x''", "x'00ff'", "'{}'", "'[' || hex(zeroblob(500000))", "zeroblob(5000000)",
    "json_set(data, '$.url', NULL)", "json_set(data, '$.dataRepresentation', NULL)",
    "json_set(data, '$.width', 'wide')", "42",
  ])
  func `fault 54: a row that is not a favorite is reported, kept, and hides no other`(
    _ value: String
  ) async throws {
    let library = ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data")))
    try await library.favorites.add([
      image("good", SmallSource.png(1)), image("bad", SmallSource.png(2)),
    ])
    await library.close()
    let bad = "WHERE key LIKE '%bad'"
    try change("UPDATE item SET data = \(value) \(bad)")

    let panda = try AppDriver(directory)
    try await panda.expect(favorites: 1)
    try await panda.expect(text: "1 of your favorites could not be read")
    try await panda.expectThumbnails(1)
    try panda.press(.view(.nextPane), .favorites(.remove))
    try await panda.expect(favorites: 0)
    try await panda.quit()
    let database = try Database(
      path: directory.path("data/favorites.sqlite"), access: .writing)
    #expect(try database.integer("SELECT count(*) FROM item \(bad)") == 1)
  }

  @Test func `fault 54: the tables take no NULL`() async throws {
    let library = ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data")))
    try await library.favorites.add([image("good", SmallSource.png(1))])
    await library.close()
    for column in ["data", "key", "namespace"] {
      #expect(throws: SQLiteError.self) { try change("UPDATE item SET \(column) = NULL") }
    }
  }
}
