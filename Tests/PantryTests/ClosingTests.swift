import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Files that are closed and opened again, by this process and by others.
@MainActor
@Suite struct ClosingTests {
  let directory = TemporaryDirectory()

  private var path: String { directory.path("store/pantry.sqlite") }
  private var log: FileIdentity? { FileIdentity(path: path + "-wal") }

  private func probe(_ work: String, _ name: String, _ count: Int = 0) throws -> ProbeProcess {
    try ProbeProcess("PantryLiveProbe", [work, directory.path("store"), name, "\(count)"])
  }

  /// Releases all of SQLite's locks of this process on the file, as another part of a program does
  /// that reads it (https://sqlite.org/howtocorrupt.html, 2.2).
  private func openAndClose() throws { _ = try Data(contentsOf: URL(filePath: path)) }

  /// Lets another program write that is the last one by SQLite's locks: it removes the log.
  private func removeLog(_ name: String) async throws {
    try openAndClose()
    let shell = try probe("shell", name, 3)
    #expect(await shell.line() == "done")
    #expect(await shell.hasSucceeded())
  }

  /// The number of connections of an engine so far.
  private func connectionCount(_ engine: SQLiteStorageEngine) -> Int {
    engine.file.writer.sync { engine.file.writer.connectionCount }
  }

  @Test func `a closed file has no log, and the next operation opens it`() async throws {
    let store = try await Store<Note>(storage: directory.engine())
    let other = try await Store<Note>(storage: directory.engine("Other"))
    try await store.add(Note(id: "a"))
    try await other.add(Note(id: "b"))
    try await store.close()
    #expect(log == nil)
    #expect(FileIdentity(path: path + "-shm") == nil)
    #expect(try directory.database().integer("SELECT count(*) FROM item") == 2)
    try await other.close()
    try await other.add(Note(id: "c"))
    #expect(log != nil)
    #expect(other.items == [Note(id: "b"), Note(id: "c")])
    // It follows again.
    #expect(try await probe("write", "x", 1).line() == "done")
    try await eventually("the store follows") { store.items.count == 2 }
  }

  @Test func `a closed file is not opened by the writes of others`() async throws {
    let engine = try directory.engine()
    let store = try await Store<Note>(storage: engine)
    try await store.add(Note(id: "a"))
    try await store.close()
    let other = try probe("write", "x", 3)
    #expect(await other.line() == "done")
    #expect(await other.hasSucceeded())
    #expect(FileStamp(path: path + "-wal")?.byteCount ?? 0 == 0)
    engine.file.writer.sync { #expect(!engine.file.writer.isOpen) }
    try await store.add(Note(id: "b"))
    #expect(store.items.map(\.id) == ["a", "x-0", "x-1", "x-2", "b"])
  }

  @Test func `an engine that is released leaves no log`() async throws {
    try await directory.engine().write(Data("{}".utf8), key: CacheKey("a"))
    try await eventually("the engine is released") { log == nil }
  }

  @Test func `closing throws if the log could not be copied, and loses nothing`() async throws {
    let store = try await Store<Note>(storage: directory.engine())
    try await store.add(Note(id: "a"))
    let other = try probe("hold", "x")
    #expect(await other.line() == "held")
    try #require(unlink(path + "-wal") == 0)
    await #expect(throws: StorageError.logIsGone(path: path)) { try await store.close() }
    #expect(try directory.database().integer("SELECT count(*) FROM item") == 2)
  }

  // MARK: Another part of this program

  @Test func `fault 95: after another part closed the file, saving continues`() async throws {
    let engine = try directory.engine()
    let store = try await Store<Note>(storage: engine)
    try await store.add(Note(id: "a"))
    for run in 1...3 {
      try await removeLog("s\(run)")
      try await store.add(Note(id: "b\(run)"))
      #expect(store.items.count == 1 + 4 * run)
      #expect(connectionCount(engine) > run)
    }
    #expect(try directory.database().integer("SELECT count(*) FROM item") == 13)
  }

  @Test func `fault 95: with a new log of another process, saving continues`() async throws {
    let store = try await Store<Note>(storage: directory.engine())
    try await store.add(Note(id: "a"))
    try await removeLog("s")
    let other = try probe("hold", "x")
    #expect(await other.line() == "held")
    try await store.add(Note(id: "b"))
    #expect(store.items.map(\.id) == ["a", "s-0", "s-1", "s-2", "x", "b"])
    try other.write("go on")
    #expect(await other.line() == "saved")
    try await eventually("the store follows") { store.items.last?.id == "x again" }
  }

  @Test func `fault 95: another process of Pantry leaves the log to the last one`() async throws {
    let engine = try directory.engine()
    let store = try await Store<Note>(storage: engine)
    try await store.add(Note(id: "a"))
    try openAndClose()
    let other = try probe("write", "x", 3)
    #expect(await other.line() == "done")
    #expect(await other.hasSucceeded())
    try await store.add(Note(id: "b"))
    #expect(connectionCount(engine) == 1)
    #expect(store.items.map(\.id) == ["a", "x-0", "x-1", "x-2", "b"])
  }

  @Test func `fault 95: a picture is read after another part closed the file`() async throws {
    let bytes = Data.noise(40_000, seed: 5)
    let store = try await Store<Photo>(storage: directory.engine())
    try await store.add(Photo(id: "p", picture: Attachment(bytes)))
    let photo = try await nextLaunch { try await Store<Photo>(storage: directory.engine()) }.items[
      0]
    #expect(try await photo.picture.data() == bytes)
    try await removeLog("s")
    try await store.add(Photo(id: "q", picture: Attachment(bytes)))
    #expect(try await photo.picture.data() == bytes)
    #expect(log != nil)
  }
}
