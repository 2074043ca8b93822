import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Nothing breaks or grows a statement when there is much.
@MainActor
@Suite struct SizeTests {
  let directory = TemporaryDirectory()

  @Test func `70,000 items are added in one call and read back in full, in order`() async throws {
    // Twice as many as a statement of SQLite has room for (SQLITE_MAX_VARIABLE_NUMBER).
    let count = Torture.rounds(70_000, orTorture: 200_000)
    let items = (0..<count).map { Note(id: "\($0)") }
    do {
      let store = try await Store<Note>(storage: directory.engine())
      try await store.add(items)
      #expect(store.items.count == count)
    }
    let relaunched = try await Store<Note>(storage: directory.engine())
    #expect(relaunched.items == items)
    try await relaunched.remove(Array(items[1...]))
    #expect(relaunched.items == [items[0]])
  }

  @Test func `no statement's text grows with the number of keys`() async throws {
    let connection = try SQLiteConnection(
      SQLiteLocation("pantry.sqlite", in: directory.storage).open())
    let session = try connection.session(SQLiteNamespace("Note"))
    func commit(_ changes: [StorageChange]) throws {
      let part = SQLiteTransaction.Part(session: session, changes: changes)
      _ = try SQLiteTransaction(parts: [part], bytes: [:], time: Date())
        .run(on: connection.database, patiently: true)
    }
    func work(_ count: Int) throws -> Set<String> {
      let keys = (0..<count).map { CacheKey(verbatim: "\($0)") }
      try commit(keys.map { .write(Data("{}".utf8), key: $0) })
      _ = try session.allRows()
      _ = try session.reading { try keys.map { try session.data(key: $0) } }
      try commit(keys.map { .remove(key: $0) })
      return session.statementTexts
    }
    let few = try work(3)
    #expect(try work(5_000) == few)
    #expect(few.allSatisfy { $0.count < 400 })
  }
}
