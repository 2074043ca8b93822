import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Why a file cannot be written, as far as that is known without opening it.
@Suite struct SQLiteObstacleTests {
  private let directory = TemporaryDirectory()

  private func obstacle(_ filename: String, in place: String) -> StorageError? {
    SQLiteStorageEngine.obstacle(
      toWriting: filename, in: StorageDirectory(url: URL(filePath: place)))
  }

  @Test func `a file that can be written has none, even before it exists`() throws {
    #expect(obstacle("pantry.sqlite", in: directory.path("store")) == nil)
    _ = try directory.engine()
    #expect(obstacle("pantry.sqlite", in: directory.path("store")) == nil)
  }

  @Test func `fault 41: a place that cannot be written is named`() throws {
    let path = directory.path("file")
    try Data().write(to: URL(filePath: path))
    for (place, reason) in [
      (path, "it is a file, not a directory"), (path + "/below", "part of its path is a file"),
    ] { #expect(obstacle("a.sqlite", in: place) == .cannotCreate(path: place, reason: reason)) }
    // Where the file should be, there is a directory.
    try FileManager.default.createDirectory(
      atPath: directory.path("a.sqlite"), withIntermediateDirectories: false)
    #expect(
      obstacle("a.sqlite", in: directory.path(""))?.description
        .contains("it is a directory, not a file") == true)
  }
}
