import Foundation
import Glibc
import PandaTestSupport
import PantryTesting
import Testing

@testable import Pantry

/// Stores of several engines on one directory, which follow each other.
///
/// An engine knows no more of the others than if they were in other processes.
@MainActor
@Suite struct DiskLiveStoreTests {
  let directory = TemporaryDirectory()

  private func engine(
    _ name: String = "store", patience: Duration = .seconds(5), polls: Bool = false
  ) throws -> DiskStorageEngine {
    let place = StorageDirectory(url: directory.url.appending(path: name))
    return try DiskStorageEngine(OpenFolder(place), patience: patience, polls: polls)
  }

  private func store(_ name: String = "store", polls: Bool = false) async throws -> Store<Note> {
    try await Store<Note>(storage: engine(name, polls: polls))
  }

  private func follows(_ store: Store<Note>, _ notes: [Note]) async throws {
    try await eventually("the notes \(notes)", seen: { "\(store.items)" }) { store.items == notes }
  }

  /// The path of the file of a note.
  private func path(_ identifier: String, in name: String = "store") -> String {
    let digest = ContentDigest(of: Data(identifier.utf8))
    return directory.path(name + "/" + DiskFileName.name(ofItem: digest))
  }

  @Test func `one engine's additions, changes and removals reach the other`() async throws {
    let one = try await store()
    let other = try await store()
    let notes = Note.numbered(0..<5)
    try await one.add(notes)
    try await follows(other, notes)
    try await other.add(Note(id: notes[1].id, text: "changed"))
    var changed = notes
    changed[1].text = "changed"
    try await follows(one, changed)
    try await one.remove(notes[2])
    changed.remove(at: 2)
    try await follows(other, changed)
    // Removed and added again, it is the last.
    try await other.remove(notes[0]).add(notes[0]).run()
    try await follows(one, Array(changed[1...]) + [notes[0]])
    try await other.removeAll()
    try await follows(one, [])
  }

  @Test func `the order is that of the disk, whichever engine wrote`() async throws {
    let stores = [try await store(), try await store(), try await store()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          for step in 0..<16 {
            try await store.add(Note(id: "\(number)-\(step)"))
            if step % 5 == 4 { try await store.remove(Note(id: "\(number)-\(step - 2)")) }
            if step % 8 == 7 {
              let again = Note(id: "\(number)-\(step - 7)", text: "again")
              try await store.remove(again).add(again).run()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let onDisk = try await store().items
    #expect(onDisk.count == 3 * (16 - 3))
    for store in stores { try await follows(store, onDisk) }
  }

  @Test func `an update loses no change of another engine`() async throws {
    let one = try await store()
    let other = try await store()
    try await one.add(Note(id: "a"))
    try await follows(other, [Note(id: "a")])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in [one, other] {
        group.addTask { for _ in 0..<15 { try await store.update("a") { $0.text += "." } } }
      }
      try await group.waitForAll()
    }
    let expected = [Note(id: "a", text: String(repeating: ".", count: 30))]
    try await follows(one, expected)
    try await follows(other, expected)
  }

  @Test func `one commit is one change for observers of the other engine`() async throws {
    let one = try await store()
    let other = try await store()
    let counter = ChangeCounter { other.items }
    let notes = Note.numbered(0..<40)
    try await one.add(notes)
    try await follows(other, notes)
    #expect(counter.count == 1)
    try await one.removeAll().add([notes[0], Note(id: "new")]).run()
    try await follows(other, [notes[0], Note(id: "new")])
    #expect(counter.count == 2)
  }

  @Test
  func `the writer is not notified; another store on the engine is, and so is another process`()
    async throws
  {
    let shared = try engine()
    let writer = try await LiveReader(shared)
    let neighbor = try await LiveReader(shared)
    let stranger = try await LiveReader(engine())
    for number in 0..<5 {
      let key = CacheKey(verbatim: "\(number)")
      try await writer.commit([.write(Data("\(number)".utf8), key: key)])
    }
    #expect(neighbor.notificationCount == 5)
    try await eventually("the other process is notified") {
      try await stranger.catchUp()
      return stranger.content.count == 5
    }
    try await stranger.commit([.write(Data("x".utf8), key: CacheKey(verbatim: "x"))])
    try await eventually("the writer is notified") { writer.notificationCount > 0 }
    try await writer.catchUp()
    #expect(writer.notificationCount == 1)
    #expect(writer.content == ["0=0", "1=1", "2=2", "3=3", "4=4", "x=x"])
  }

  @Test func `nothing is written if another engine has changed the basis`() async throws {
    let one = try await LiveReader(engine())
    let other = try await LiveReader(engine())
    func write(_ key: String, _ text: String) -> StorageChange {
      .write(Data(text.utf8), key: CacheKey(verbatim: key))
    }
    let first = try await one.commit([write("a", "1"), write("b", "2"), write("a", "3")])
    #expect(first.positions == [0, 1, nil])
    let refused = try await other.commit(
      [write("a", "other")], basedOn: .keys([CacheKey(verbatim: "a")]))
    #expect(refused.positions == nil)
    #expect(other.content == ["a=3", "b=2"])
    let again = try await other.commit(
      [write("a", "other"), write("c", "")], basedOn: .keys([CacheKey(verbatim: "a")]))
    #expect(again.positions == [nil, 2])
    #expect(again.update.isEmpty)
    // The position of a row that this engine has not seen may be assigned again.
    try await other.commit([.remove(key: CacheKey(verbatim: "c"))])
    try await one.commit([write("d", "")])
    #expect(one.content == ["a=other", "b=2", "d="])
    try await other.catchUp()
    #expect(other.content == one.content)
  }

  @Test func `a commit of thousands of changes is followed too`() async throws {
    let one = try await LiveReader(engine())
    let other = try await LiveReader(engine())
    let keys = (0..<2_100).map { CacheKey(verbatim: "\($0)") }
    try await one.commit(keys.map { .write(Data(), key: $0) })
    try await other.catchUp()
    #expect(other.content == keys.map { "\($0.rawValue)=" })
    try await other.commit([.removeAll])
    try await one.catchUp()
    #expect(one.content.isEmpty)
  }

  // MARK: By hand

  @Test(arguments: [false, true])
  func `files copied, written, moved and removed by hand are followed`(polls: Bool)
    async throws
  {
    let notes = Note.numbered(0..<3)
    let elsewhere = try await store("elsewhere")
    try await elsewhere.add([Note(id: "x"), Note(id: notes[0].id, text: "of another time")])
    let one = try await store(polls: polls)
    try await one.add(notes)
    let files = FileManager.default
    // Where it was in the other directory is where the first of these is; so the digests decide.
    try files.copyItem(atPath: path("x", in: "elsewhere"), toPath: path("x"))
    let withCopy = try await store().items
    #expect(Set(withCopy.map(\.id)) == Set(notes.map(\.id) + ["x"]))
    try await follows(one, withCopy)
    // In place, without another name.
    let text = try Data(contentsOf: URL(filePath: path(notes[0].id, in: "elsewhere")))
    try text.write(to: URL(filePath: path(notes[0].id)))
    let overwritten = try await store().items
    #expect(overwritten.contains(Note(id: notes[0].id, text: "of another time")))
    try await follows(one, overwritten)
    try files.removeItem(atPath: path("x"))
    try #require(rename(path(notes[1].id), directory.path("away")) == 0)
    let removed = overwritten.filter { $0.id != "x" && $0.id != notes[1].id }
    try await follows(one, removed)
    try #require(rename(directory.path("away"), path(notes[1].id)) == 0)
    try await follows(one, overwritten.filter { $0.id != "x" })
    try await one.add(Note(id: "last"))
    #expect(try await store().items == one.items)
  }

  @Test func `a file changed while nobody follows is read in its new state`() async throws {
    let engine = try engine()
    for name in ["a", "b"] {
      try await engine.write(Data(name.utf8), key: CacheKey(verbatim: name))
    }
    #expect(try await engine.keyCount() == 2)
    try Data("scribble".utf8).write(to: URL(filePath: path("a")))
    await #expect(throws: StorageError.self) { try await engine.read(key: CacheKey(verbatim: "a")) }
    try FileManager.default.removeItem(atPath: path("b"))
    #expect(try await engine.read(key: CacheKey(verbatim: "b")) == nil)
    #expect(try await engine.allKeys() == [])
    #expect(try await engine.damage().keys.sorted() == [path("a")])
  }

  @Test func `items copied to the same position get distinct places`() async throws {
    let elsewhere = try await store("elsewhere")
    try await elsewhere.add([Note(id: "0"), Note(id: "copy")])
    let one = try await store()
    let notes = Note.numbered(0..<4)
    try await one.add(notes)
    try FileManager.default.copyItem(
      atPath: path("copy", in: "elsewhere"), toPath: path("copy"))
    // Where there was one now are two, and those after them are one further.
    let rows = try await engine().rows(for: StorageFollower {})
    #expect(rows.map(\.position) == [0, 1, 2, 3, 4])
    #expect(Set(rows[1...2].map(\.key.rawValue)) == [notes[1].id, "copy"])
    #expect(rows[3...].map(\.key.rawValue) == notes[2...].map(\.id))
    try await follows(one, rows.map { Note(id: $0.key.rawValue, text: text($0.key, notes)) })
    try await one.add(Note(id: "new"))
    try FileManager.default.removeItem(atPath: path("copy"))
    try await follows(one, notes + [Note(id: "new")])
    try await one.add(Note(id: notes[2].id, text: "changed"))
    #expect(try await store().items == one.items)
  }

  private func text(_ key: CacheKey, _ notes: [Note]) -> String {
    notes.first { $0.id == key.rawValue }?.text ?? ""
  }

  // MARK: The directory and the lock

  @Test func `a directory that cannot be watched is polled twice a second`() async throws {
    let one = try await store(polls: true)
    let other = try await store(polls: true)
    try await one.add(Note(id: "a"))
    try await follows(other, [Note(id: "a")])
    try await other.remove(Note(id: "a"))
    try await follows(one, [])
  }

  @Test func `a replaced directory is read, and written to`() async throws {
    let one = try await store()
    let other = try await store()
    try await one.add(Note.numbered(0..<5))
    try await follows(other, Note.numbered(0..<5))
    for (number, notes) in [[Note(id: "x")], Note.numbered(10..<20), []].enumerated() {
      let prepared = try await store("new-\(number)")
      try await prepared.add(notes)
      try #require(rename(directory.path("store"), directory.path("old-\(number)")) == 0)
      try #require(rename(directory.path("new-\(number)"), directory.path("store")) == 0)
      try await follows(one, notes)
      try await follows(other, notes)
      try await one.add(Note(id: "more"))
      try await follows(other, notes + [Note(id: "more")])
    }
    #expect(try await store("old-0").items == Note.numbered(0..<5))
  }

  @Test func `a missing directory loses nothing`() async throws {
    let store = try await store()
    try await store.add(Note(id: "a"))
    let path = directory.path("store")
    try #require(rename(path, path + ".away") == 0)
    await #expect(throws: StorageError.fileIsGone(path: path)) {
      try await store.add(Note(id: "b"))
    }
    #expect(store.items == [Note(id: "a")])
    #expect(!FileManager.default.fileExists(atPath: path))
    try #require(rename(path + ".away", path) == 0)
    try await store.add(Note(id: "b"))
    #expect(store.items == [Note(id: "a"), Note(id: "b")])
    // And it is followed again.
    let other = try await self.store()
    try await other.add(Note(id: "c"))
    try await follows(store, [Note(id: "a"), Note(id: "b"), Note(id: "c")])
  }

  @Test func `a lock that is never released is an error for others, and no loss`()
    async throws
  {
    let engine = try engine(patience: .milliseconds(500))
    let store = try await Store<Note>(storage: engine)
    try await store.add(Note(id: "a"))
    let path = directory.path("store")
    let lock = open(path + "/lock", O_RDWR)
    defer { close(lock) }
    // The watcher may be reading.
    try await eventually("the lock") { flock(lock, LOCK_EX | LOCK_NB) == 0 }
    await #expect(throws: StorageError.inUse(path: path)) { try await store.add(Note(id: "b")) }
    await #expect(throws: StorageError.inUse(path: path)) { try await engine.keyCount() }
    #expect(store.items == [Note(id: "a")])
    // What happens meanwhile is not forgotten, although it cannot be read.
    let copy = try await self.store("elsewhere")
    try await copy.add([Note(id: "first"), Note(id: "c")])
    try FileManager.default.copyItem(
      atPath: self.path("c", in: "elsewhere"), toPath: self.path("c"))
    await #expect(throws: StorageError.inUse(path: path)) { try await engine.keyCount() }
    #expect(flock(lock, LOCK_UN) == 0)
    try await follows(store, [Note(id: "a"), Note(id: "c")])
    // Readers do not exclude each other.
    try await eventually("the lock") { flock(lock, LOCK_SH | LOCK_NB) == 0 }
    #expect(try await engine.keyCount() == 2)
    #expect(flock(lock, LOCK_UN) == 0)
    try await store.add(Note(id: "b"))
    #expect(store.items == ["a", "c", "b"].map { Note(id: $0) })
  }

  @Test func `a removed lock file is created again`() async throws {
    let one = try await store()
    let other = try await store()
    try await one.add(Note(id: "a"))
    try FileManager.default.removeItem(atPath: directory.path("store/lock"))
    try await one.add(Note(id: "b"))
    try await other.add(Note(id: "c"))
    let notes = ["a", "b", "c"].map { Note(id: $0) }
    #expect(other.items == notes)
    try await follows(one, notes)
  }
}
