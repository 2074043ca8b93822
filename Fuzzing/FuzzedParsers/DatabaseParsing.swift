internal import Foundation
internal import PandaCore
internal import PandaTestSupport
internal import Pantry

/// The database of favorites, opened, loaded and recovered.
///
/// An input is a list of changes to the files in Fuzzing/Database: see ``FileEdit``.
@MainActor
enum DatabaseParsing {
  private static let name = "favorites.sqlite"
  private static let originals: [Data] = ["", "-wal"].map { suffix in
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Database/\(name)\(suffix)")
    do {
      return try Data(contentsOf: file)
    } catch {
      fatalError("The database to damage cannot be read: \(error)")
    }
  }

  static func parse(_ input: [UInt8]) async throws {
    let directory = TemporaryDirectory(inMemory: true)
    var (file, log) = (originals[0], originals[1])
    for edit in FileEdit.list(input) { edit.apply(to: &file, &log) }
    try file.write(to: directory.url.appending(path: name))
    if !log.isEmpty { try log.write(to: directory.url.appending(path: name + "-wal")) }

    let storage = StorageDirectory(url: directory.url)
    do {
      do {
        try await load(storage)
      } catch let error where SQLiteStorageEngine.reportsDamage(error) {
        let report = try await ImageLibrary(in: storage).recover()
        try require(report != nil, "damage is recovered: \(error)")
        try await load(storage)
      }
    } catch is StorageError {
      // A file of another program or of a newer version is refused.
      return
    } catch let error as SQLiteError {
      try require(
        !SQLiteStorageEngine.reportsDamage(error), "a recovered file is not damaged: \(error)")
    }
  }

  private static func load(_ storage: StorageDirectory) async throws {
    let library = ImageLibrary(in: storage)
    try await library.favorites.itemsHaveLoaded()
    try await library.seen.itemsHaveLoaded()
    try await library.trash.itemsHaveLoaded()
    try await library.hidden.itemsHaveLoaded()
    for image in library.favorites.items {
      _ = (image.url, image.page)
      do {
        _ = try await image.dataRepresentation.data()
      } catch is StorageError {
        // Lost bytes are reported where the picture is shown.
        continue
      }
    }
    await library.close()
  }
}
