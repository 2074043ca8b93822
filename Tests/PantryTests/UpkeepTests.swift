import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Copies of a file that is in use, and room that comes back.
@MainActor
@Suite struct UpkeepTests {
  let directory = TemporaryDirectory()

  var copy: URL { directory.url.appending(path: "copy.sqlite") }

  @Test func `a backup during writes is complete, and as of one moment`() async throws {
    let engine = try directory.engine()
    let store = try await Store<Note>(storage: engine)
    let photos = try await Store<Photo>(storage: directory.engine("photos"))
    let bytes = Data.noise(300_000, seed: 5)
    try await photos.add(Photo(id: "p", picture: Attachment(bytes)))
    // Each commit has ten notes, and counts.
    let writing = Task {
      for round in 0..<60 {
        try await store.add(
          (0..<10).map { Note(id: "\(round)-\($0)") } + [Note(id: "last", text: "\(round)")])
      }
    }
    for _ in 0..<3 { try await engine.backup(to: copy) }
    try await writing.value
    try await engine.backup(to: copy)

    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
        == ["copy.sqlite", "store"], "no log, and nothing half done")
    let mode = try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let restored = StorageDirectory(url: directory.url)
    func open(_ namespace: String) throws -> SQLiteStorageEngine {
      try SQLiteStorageEngine(
        directory: restored, databaseFilename: "copy.sqlite", namespace: namespace)
    }
    let notes = try await Store<Note>(storage: open("Note"))
    #expect(notes.items == store.items)
    #expect(
      try await Store<Photo>(storage: open("photos")).items.first?.picture.data() == bytes)
  }

  @Test func `a failed backup throws the reason, and keeps the former one`() async throws {
    let engine = try directory.engine()
    try await engine.write(Data("1".utf8), key: CacheKey("a"))
    try await engine.backup(to: copy)
    let former = try Data(contentsOf: copy)
    let absent = directory.url.appending(path: "absent/copy.sqlite")
    await #expect(throws: StorageError.self) { try await engine.backup(to: absent) }
    // A directory is in the way of the last step.
    let taken = directory.url.appending(path: "taken")
    try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
    await #expect(throws: StorageError.self) { try await engine.backup(to: taken) }
    #expect(try Data(contentsOf: copy) == former)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(!names.contains { $0.hasSuffix(".partial") })
  }

  @Test func `compacting returns the space of removed pictures, and changes nothing else`()
    async throws
  {
    let engine = try directory.engine("photos")
    let photos = try await Store<Photo>(storage: engine)
    try await photos.add(
      (0..<20).map { Photo(id: "\($0)", picture: Attachment(.noise(200_000, seed: UInt64($0)))) })
    let follower = try await Store<Photo>(storage: directory.engine("photos"))
    try await photos.remove(Array(photos.items[1...]))
    try await eventually("the other store follows") { follower.items.count == 1 }
    try await engine.close()
    func size() throws -> Int {
      let path = directory.path("store/pantry.sqlite")
      return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
    #expect(try size() > 4_000_000)
    try await engine.compact()
    #expect(try size() < 400_000)
    #expect(try await photos.items[0].picture.data() == .noise(200_000, seed: 0))
    // Followers continue from their cursors.
    try await photos.add(Photo(id: "new", picture: Attachment(.noise(1_000, seed: 99))))
    try await eventually("the other store follows") { follower.items.map(\.id) == ["0", "new"] }
    let check = try directory.database().statement("PRAGMA integrity_check")
    #expect(try check.step() && check.text(0) == "ok")
    check.reset()
  }
}
