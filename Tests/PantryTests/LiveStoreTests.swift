import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Pantry

/// Stores of several engines on one file, which follow each other.
///
/// An engine knows nothing of another one in its process: it follows it as it follows another
/// process, through the file.
@MainActor
@Suite struct LiveStoreTests {
  let directory = TemporaryDirectory()

  func store() async throws -> Store<Note> { try await Store<Note>(storage: directory.engine()) }

  func follows(_ store: Store<Note>, _ notes: [Note]) async throws {
    try await eventually("the notes \(notes)", seen: { "\(store.items)" }) { store.items == notes }
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
    try await other.removeAll()
    try await follows(one, [])
  }

  @Test func `the order is that of the disk, whichever engine wrote`() async throws {
    let stores = [try await store(), try await store(), try await store()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          for step in 0..<40 {
            try await store.add(Note(id: "\(number)-\(step)"))
            if step % 5 == 4 { try await store.remove(Note(id: "\(number)-\(step - 2)")) }
            // Removed and added again, it is the last.
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
    // Of the 8 that each has removed, it has added one again.
    #expect(onDisk.count == 3 * (40 - 7))
    for store in stores { try await follows(store, onDisk) }
  }

  @Test func `one commit is one change for observers of the other engine`() async throws {
    let one = try await store()
    let other = try await store()
    let counter = ChangeCounter { other.items }
    let notes = Note.numbered(0..<50)
    try await one.add(notes)
    try await follows(other, notes)
    #expect(counter.count == 1)
    let events = other.events
    try await one.removeAll().add([notes[0], Note(id: "new")]).run()
    try await follows(other, [notes[0], Note(id: "new")])
    #expect(counter.count == 2)
    var seen: [StoreEvent<Note>.Operation] = []
    for await event in events {
      seen.append(event.operation)
      if event.operation == .insert { break }
    }
    #expect(seen == [.initialized, .loaded, .remove, .insert])
  }

  @Test func `another key space is not notified`() async throws {
    let notes = try await store()
    let others = try await Store<Note>(storage: directory.engine("Other"))
    let counter = ChangeCounter { others.items }
    let writer = try await store()
    try await writer.add(Note(id: "a"))
    try await follows(notes, [Note(id: "a")])
    #expect(counter.count == 0)
    #expect(others.items.isEmpty)
  }

  @Test func `the sqlite3 shell is a writer like others, even with checkpoints in between`()
    async throws
  {
    let store = try await store()
    try await store.add(Note(id: "a"))
    let shell = try directory.database()
    var expected = [Note(id: "a")]
    for round in 0..<30 {
      try shell.execute(
        """
        INSERT INTO item (namespace, key, data, createdAt, updatedAt)
        VALUES (1, 's\(round)', '{"id":"s\(round)","text":""}', 1, 1);
        """)
      expected.append(Note(id: "s\(round)"))
      try await follows(store, expected)
      if round % 3 == 0 { try shell.checkpoint() }
    }
    try shell.execute("UPDATE item SET data = '{\"id\":\"s3\",\"text\":\"x\"}' WHERE key = 's3'")
    expected[4].text = "x"
    try await follows(store, expected)
    // Regardless of the statement's conflict clause.
    try shell.execute(
      """
      INSERT OR IGNORE INTO item (namespace, key, data, createdAt, updatedAt)
      VALUES (1, 'late', '{"id":"late","text":""}', 1, 1);
      DELETE FROM item WHERE key = 's0';
      """)
    expected.remove(at: 1)
    expected.append(Note(id: "late"))
    try await follows(store, expected)
    // A row under another key is another item.
    try shell.execute(
      "UPDATE item SET key = 'gone', data = '{\"id\":\"gone\",\"text\":\"\"}' WHERE key = 'a'")
    expected[0] = Note(id: "gone")
    try await follows(store, expected)
  }

  @Test func `a commit long after its first write to the log is seen`() async throws {
    let file = SQLiteFile.named("pantry.sqlite", in: directory.storage)
    let store = try await Store<Note>(
      storage: SQLiteStorageEngine(opening: file, namespace: "Note"))
    try await store.add(Note(id: "a"))
    let shell = try directory.database()
    // What does not fit in memory is in the log before the commit.
    try shell.execute(
      """
      PRAGMA cache_size = 1;
      BEGIN IMMEDIATE;
      CREATE TEMP TABLE many AS WITH RECURSIVE number(n) AS
        (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 200) SELECT n FROM number;
      """)
    let before = file.watcher.checkCount
    try shell.execute(
      """
      INSERT INTO item (namespace, key, data, createdAt, updatedAt)
      SELECT 1, 's' || n, json_object('id', 's' || n, 'text', hex(zeroblob(8192))), 1, 1 FROM many;
      """)
    // Later than all intervals together.
    try await eventually("it has checked often", seen: { "\(file.watcher.checkCount - before)" }) {
      file.watcher.checkCount > before + 8
    }
    #expect(store.items.count == 1)
    try shell.execute("COMMIT")
    try await eventually("all notes") { store.items.count == 201 }
  }

  @Test func `an undecodable row of another writer is an issue`() async throws {
    let store = try await store()
    try await store.add([Note(id: "a"), Note(id: "b")])
    let shell = try directory.database()
    try shell.execute("UPDATE item SET data = 'no JSON' WHERE key = 'a'")
    try await follows(store, [Note(id: "b")])
    #expect(store.loadIssues.map(\.key) == [CacheKey(verbatim: "a")])
    try shell.execute("UPDATE item SET data = '{\"id\":\"a\",\"text\":\"\"}' WHERE key = 'a'")
    try await follows(store, [Note(id: "a"), Note(id: "b")])
    #expect(store.loadIssues.isEmpty)
  }

  @Test func `rows that swap places do so here too`() async throws {
    let store = try await store()
    try await store.add([Note(id: "a"), Note(id: "b"), Note(id: "c")])
    try directory.database().execute(
      """
      BEGIN;
      UPDATE item SET id = id + 1000 WHERE key IN ('a', 'c');
      UPDATE item SET id = (SELECT id - 1000 FROM item WHERE key = 'c') WHERE key = 'a';
      UPDATE item SET id = id - 1002 WHERE key = 'c';
      COMMIT;
      """)
    try await follows(store, [Note(id: "c"), Note(id: "b"), Note(id: "a")])
  }

  @Test func `a directory that cannot be watched is polled twice a second`() async throws {
    let place = StorageDirectory(url: directory.url.appending(path: "polled"))
    func open() async throws -> Store<Note> {
      let file = SQLiteFile.named("pantry.sqlite", in: place, polls: true)
      return try await Store<Note>(storage: SQLiteStorageEngine(opening: file))
    }
    let one = try await open()
    let other = try await open()
    try await one.add(Note(id: "a"))
    try await follows(other, [Note(id: "a")])
    try await other.remove(Note(id: "a"))
    try await follows(one, [])
  }

  // MARK: Another file in its place

  /// A database with `notes`, as a backup would bring it.
  func database(with notes: [Note]) async throws -> String {
    let place = TemporaryDirectory()
    let store = try await Store<Note>(storage: place.engine())
    try await store.add(notes)
    let path = directory.path("copy-\(UUID().uuidString).sqlite")
    let source = try place.database()
    try source.statement("VACUUM INTO ?1").run(.text(path))
    return path
  }

  @Test func `a replaced file is read, and written to`() async throws {
    let one = try await store()
    let other = try await store()
    try await one.add(Note.numbered(0..<20))
    try await follows(other, Note.numbered(0..<20))
    // More changes than the new file has, and fewer.
    for notes in [[Note(id: "x"), Note(id: "y")], Note.numbered(100..<200), [Note(id: "z")]] {
      let copy = try await database(with: notes)
      try #require(rename(copy, directory.path("store/pantry.sqlite")) == 0)
      try await follows(one, notes)
      try await follows(other, notes)
      try await one.add(Note(id: "more"))
      try await follows(other, notes + [Note(id: "more")])
      try await other.add(Note(id: "end"))
      try await follows(one, notes + [Note(id: "more"), Note(id: "end")])
      // And it is on the disk, in a file that is whole.
      let shell = try directory.database()
      #expect(try shell.integer("SELECT count(*) FROM item") == Int64(notes.count + 2))
      let check = try shell.statement("PRAGMA integrity_check")
      #expect(try check.step() && check.text(0) == "ok")
      check.reset()
    }
  }

  @Test func `a replacement with the same number of changes is detected`() async throws {
    let one = try await store()
    let other = try await store()
    try await one.add(Note.numbered(0..<3))
    try await follows(other, Note.numbered(0..<3))
    let notes = Note.numbered(50..<53)
    let copy = try await database(with: notes)
    try #require(rename(copy, directory.path("store/pantry.sqlite")) == 0)
    try await follows(one, notes)
    try await follows(other, notes)
  }

  @Test func `without its log saving continues, and saved items are kept`() async throws {
    let one = try await store()
    let other = try await store()
    try await one.add(Note(id: "a"))
    try await follows(other, [Note(id: "a")])
    try #require(unlink(directory.path("store/pantry.sqlite-wal")) == 0)
    for (store, id) in [(one, "b"), (other, "c")] { try await store.add(Note(id: id)) }
    let notes = ["a", "b", "c"].map { Note(id: $0) }
    for store in [one, other] { try await follows(store, notes) }
    // Another process may come at any time.
    #expect(try directory.database().integer("SELECT count(*) FROM item") == 3)
  }

  @Test func `without the file and its log, no empty file replaces them`() async throws {
    let path = directory.path("store/pantry.sqlite")
    let store = try await store()
    try await store.add(Note(id: "a"))
    for suffix in ["", "-wal", "-shm"] { try #require(unlink(path + suffix) == 0) }
    await #expect(throws: StorageError.fileIsGone(path: path)) {
      try await store.add(Note(id: "b"))
    }
    #expect(store.items == [Note(id: "a")])
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `without a log that others use, saving throws, and saved items are kept`()
    async throws
  {
    let path = directory.path("store/pantry.sqlite")
    let one = try await store()
    let probe = try ProbeProcess("PantryLiveProbe", ["hold", directory.path("store"), "a"])
    #expect(await probe.line() == "held")
    try await follows(one, [Note(id: "a")])
    try #require(unlink(path + "-wal") == 0)
    await #expect(throws: StorageError.logIsGone(path: path)) { try await one.add(Note(id: "b")) }
    #expect(one.items == [Note(id: "a")])
    #expect(try directory.database().integer("SELECT count(*) FROM item") == 1)
  }

  @Test func `a file removed while open does not prevent creating the next one`()
    async throws
  {
    let path = directory.path("store/pantry.sqlite")
    let probe = try ProbeProcess(
      "PantryLiveProbe", ["hold", directory.path("store"), "a"])
    #expect(await probe.line() == "held")
    try #require(unlink(path) == 0)
    let store = try await store()
    #expect(store.items.isEmpty)
    try await store.add(Note(id: "b"))
    #expect(try directory.database().integer("SELECT count(*) FROM item") == 1)
    // The former log is unreadable without its file, but it is not deleted.
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path("store"))
    #expect(files.contains { $0.hasPrefix("pantry.sqlite-wal.stray-") }, "\(files)")
    try probe.write("")
    // The other process continues with the current file.
    #expect(await probe.line() == "saved")
    try await follows(store, [Note(id: "b"), Note(id: "a again")])
  }

  @Test func `a missing file loses nothing`() async throws {
    let store = try await store()
    try await store.add(Note(id: "a"))
    let path = directory.path("store/pantry.sqlite")
    try #require(rename(path, path + ".away") == 0)
    await #expect(throws: StorageError.fileIsGone(path: path)) {
      try await store.add(Note(id: "b"))
    }
    #expect(store.items == [Note(id: "a")])
    #expect(!FileManager.default.fileExists(atPath: path))
    try #require(rename(path + ".away", path) == 0)
    try await store.add(Note(id: "b"))
    #expect(store.items == [Note(id: "a"), Note(id: "b")])
  }

  @Test func `a picture of the replaced file can still be read`() async throws {
    let store = try await Store<Photo>(storage: directory.engine("Photo"))
    let bytes = Data.noise(40_000, seed: 1)
    try await store.add(Photo(id: "p", picture: Attachment(bytes)))
    let shown = store.items[0]
    let copy = try await database(with: [])
    try #require(rename(copy, directory.path("store/pantry.sqlite")) == 0)
    try await eventually("the photo is gone") { store.items.isEmpty }
    #expect(try await shown.picture.data() == bytes)
  }
}
