import Foundation
import SystemSupport
import PandaTestSupport
import PantryTesting
import Testing

@testable import Pantry
@testable import PantryRecovery

/// The log entries of commits, and that followers miss none of them.
@MainActor
@Suite struct SQLiteChangeLogTests {
  let directory = TemporaryDirectory()

  func count() throws -> Int64? {
    try directory.database().integer("SELECT count(*) FROM change")
  }

  func key(_ name: String) -> CacheKey { CacheKey(verbatim: name) }

  @Test func `an insert logs no entry; an update, a removal or clearing logs one`() async throws {
    let store = try await Store<Note>(storage: directory.engine())
    try await store.add(Note.numbered(0..<100))
    #expect(try count() == 0)
    try await store.add(Note(id: store.items[0].id, text: "changed"))
    #expect(try count() == 1)
    try await store.remove(store.items[5])
    #expect(try count() == 2)
    try await store.removeAll()
    #expect(try count() == 3)
  }

  @Test func `the log is pruned, and a follower that is behind reads everything`() async throws {
    let engine = try directory.engine()
    for number in 0..<100 { try await engine.write(Data("{}".utf8), key: key("\(number)")) }
    let late = try await LiveReader(directory.engine())
    // More entries than are kept, all of removed keys.
    for _ in 0..<112 {
      try await engine.commit((0..<100).map { .write(Data("{}".utf8), key: key("x\($0)")) })
      try await engine.commit((0..<100).map { .remove(key: key("x\($0)")) })
    }
    #expect(try count() ?? 0 <= Database.keptChanges + Database.keptChanges / 10 + 100)
    try await engine.remove(key: key("7"))
    let update = try await late.catchUp()
    #expect(update.isEverything)
    #expect(late.content.count == 99)
    #expect(try await late.catchUp().isEmpty)
  }

  @Test func `a change whose entry was pruned for those of another namespace is news`()
    async throws
  {
    let engine = try directory.engine()
    try await engine.write(Data("{}".utf8), key: key("0"))
    let late = StorageFollower {}
    _ = try await engine.rows(for: late)
    let place = try #require(late.place)
    try await engine.write(Data("[]".utf8), key: key("0"))
    let other = try directory.engine("Other")
    for _ in 0..<112 {
      try await other.commit((0..<100).map { .write(Data("{}".utf8), key: key("x\($0)")) })
      try await other.commit((0..<100).map { .remove(key: key("x\($0)")) })
    }
    let isNews = try engine.file.writer.sync {
      try engine.file.writer.connection().session(ofNamespace: place.namespace)?
        .hasChanged(since: place.cursor)
    }
    #expect(isNews == true)
  }

  @Test func `a commit of more changes than the log keeps is logged as one of all rows`()
    async throws
  {
    let engine = try directory.engine()
    let keys = (0...Database.keptChanges).map { key("\($0)") }
    try await engine.commit(keys.map { .write(Data("{}".utf8), key: $0) })
    try await engine.write(Data("{}".utf8), key: key("stays"))
    let late = try await LiveReader(directory.engine())
    #expect(try count() == 0, "inserts need no entries")
    try await engine.commit(keys.map { .remove(key: $0) })
    #expect(try count() == Database.keptChanges + 1)
    let update = try await late.catchUp()
    #expect(update.isEverything)
    #expect(late.content.count == 1)
    #expect(try await late.catchUp().isEmpty)
  }

  @Test(arguments: ["ours", "shell"])
  func `no number is reused after the newest row was removed`(_ writer: String) async throws {
    let engine = try directory.engine()
    for name in ["a", "b", "c"] { try await engine.write(Data(name.utf8), key: key(name)) }
    let follower = try await LiveReader(directory.engine())
    let shell = try directory.database()
    let former = try shell.integer("SELECT max(id) FROM item") ?? 0
    if writer == "ours" {
      try await engine.remove(key: key("c"))
      try await engine.write(Data("d".utf8), key: key("d"))
    } else {
      try shell.execute(
        """
        DELETE FROM item WHERE key = 'c';
        INSERT INTO item (namespace, key, data, createdAt, updatedAt) VALUES (1, 'd', 'd', 1, 1);
        """)
    }
    #expect(try shell.integer("SELECT id FROM item WHERE key = 'd'") == former + 1)
    try await follower.catchUp()
    #expect(follower.content == ["a=a", "b=b", "d=d"])
  }

  @Test(arguments: ["ours", "shell"])
  func `no number is reused after all rows were removed`(_ writer: String) async throws {
    let engine = try directory.engine()
    let other = try directory.engine("Other")
    try await other.write(Data("stays".utf8), key: key("stays"))
    for name in ["a", "b", "c"] { try await engine.write(Data(name.utf8), key: key(name)) }
    let follower = try await LiveReader(directory.engine())
    let shell = try directory.database()
    let former = try shell.integer("SELECT max(id) FROM item WHERE key = 'c'") ?? 0
    let number = try shell.integer("SELECT namespace FROM item WHERE key = 'c'") ?? 0
    if writer == "ours" {
      try await engine.removeAllData()
      for name in ["d", "e", "f"] { try await engine.write(Data(name.utf8), key: key(name)) }
    } else {
      try shell.execute("DELETE FROM item WHERE namespace = \(number)")
      for name in ["d", "e", "f"] {
        try shell.execute(
          """
          INSERT INTO item (namespace, key, data, createdAt, updatedAt)
          VALUES (\(number), '\(name)', '\(name)', 1, 1)
          """)
      }
    }
    #expect(try shell.integer("SELECT min(id) FROM item WHERE namespace = \(number)") == former + 1)
    try await follower.catchUp()
    #expect(follower.content == ["d=d", "e=e", "f=f"])
    #expect(try await other.readAllData() == [Data("stays".utf8)])
  }

  @Test func `a row moved by the shell to another namespace is found in both`() async throws {
    let (one, two) = (try directory.engine("One"), try directory.engine("Two"))
    try await one.write(Data("a".utf8), key: key("a"))
    try await two.write(Data("b".utf8), key: key("b"))
    let followers = try await [LiveReader(one), LiveReader(two)]
    try directory.database().execute("UPDATE item SET namespace = 2 WHERE key = 'a'")
    for follower in followers { try await follower.catchUp() }
    #expect(followers.map(\.content) == [[], ["b=b", "a=a"]])
    #expect(try await two.allKeys() == [key("b"), key("a")])
  }

  @Test func `a row replaced by the shell is followed`() async throws {
    let engine = try directory.engine()
    try await engine.write(Data("a".utf8), key: key("a"))
    try await engine.write(Data("b".utf8), key: key("b"))
    let follower = try await LiveReader(directory.engine())
    try directory.database().execute(
      """
      INSERT OR REPLACE INTO item (namespace, key, data, createdAt, updatedAt)
      VALUES (1, 'a', 'new', 1, 1)
      """)
    try await follower.catchUp()
    #expect(follower.content == ["b=b", "a=new"])
  }

  @Test func `a write waits for the current turn to end`() async throws {
    // It is not to give up, however busy the machine is.
    let engine = try SQLiteStorageEngine(
      opening: .named("pantry.sqlite", in: directory.storage, patience: 240_000))
    try await engine.write(Data("a".utf8), key: key("a"))
    // Another process, as far as locks are concerned.
    let other = SQLiteNotifyFile(of: engine.file.location)
    #expect(other.takeTurn())
    // Other tests may fill Swift's pool.
    let rowsMeanwhile = Lock<Int64?>(nil)
    let hasWritten = Lock(false)
    let watcher = try PosixThread { [directory, notifyFile = engine.file.notifyFile] in
      while notifyFile.ticket.withLock(\.self) == nil, !hasWritten.withLock(\.self) { usleep(500) }
      // No count is a failure too.
      rowsMeanwhile.withLock { $0 = try? directory.database().integer("SELECT count(*) FROM item") }
      other.endTurn()
    }
    try await engine.write(Data("b".utf8), key: key("b"))
    hasWritten.withLock { $0 = true }
    watcher.join()
    #expect(rowsMeanwhile.withLock(\.self) == 1)
    #expect(try await engine.keyCount() == 2)
    #expect(!other.othersAreWriting)
  }
}
