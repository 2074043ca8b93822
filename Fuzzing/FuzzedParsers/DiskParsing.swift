internal import Foundation
internal import PandaTestSupport
@testable internal import Pantry

/// The files of the Disk engine.
///
/// An input is the files of a directory: the byte 255, a letter for the name, and the content.
enum DiskParsing {
  private static func name(_ letter: UInt8) -> String? {
    func digest(_ key: String) -> ContentDigest { ContentDigest(of: Data(key.utf8)) }
    return switch UnicodeScalar(letter) {
    case "a": DiskFileName.name(ofItem: digest("a"))
    case "b": DiskFileName.name(ofItem: digest("b"))
    case "A": DiskFileName.name(ofTemporary: digest("a"), commit: 7)
    case "B": DiskFileName.name(ofTemporary: digest("b"), commit: 7)
    case "j": DiskFileName.journal
    case "n": DiskFileName.newJournal
    default: nil
    }
  }

  static func parse(_ input: [UInt8]) async throws {
    let directory = TemporaryDirectory(inMemory: true)
    let storage = StorageDirectory(url: directory.url)
    for file in input.split(separator: 255).prefix(8) {
      guard let letter = file.first, let name = name(letter) else { continue }
      try Data(file.dropFirst()).write(to: directory.url.appending(path: name))
    }
    do {
      try await use(storage)
    } catch is StorageError {
      return
    } catch is FileError {
      return
    }
  }

  private static func use(_ storage: StorageDirectory) async throws {
    let keys = ["a", "b", "c"].map { CacheKey(verbatim: $0) }
    let engine = try DiskStorageEngine(directory: storage)
    _ = try await engine.rows(for: StorageFollower {})
    let found = try await engine.allKeys()
    try require(Set(found).isSubset(of: keys), "\(found) are keys of files")
    do {
      _ = try await engine.readAllDataAndKeys()
    } catch StorageError.damagedFile {}
    let data = Data("written".utf8)
    for key in keys { try await engine.write(data, key: key) }
    for key in keys {
      try require(try await engine.read(key: key) == data, "\(key) is as it was written")
    }
    try await engine.remove(key: keys[0])

    // As the next opening reads it.
    engine.directory.isLoaded = false
    let other = try DiskStorageEngine(directory: storage)
    let rows = try await other.readAllDataAndKeys()
    try require(
      Set(rows.map(\.key)) == Set(keys[1...]) && rows.allSatisfy { $0.data == data },
      "\(rows) are the rows that were written")
    let hidden = try await other.rows(for: StorageFollower {}).compactMap(\.reason)
    try require(hidden.isEmpty, "no written file is damaged: \(hidden)")
  }
}
