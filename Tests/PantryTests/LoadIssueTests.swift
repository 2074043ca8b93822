import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@MainActor
@Suite struct LoadIssueTests {
  let directory = TemporaryDirectory()

  /// Five notes, of which the second can no longer be decoded.
  func damagedStore() async throws -> Store<Note> {
    let store = try await Store<Note>(storage: directory.engine())
    try await store.add("abcde".map { Note(id: String($0)) })
    try directory.database().execute("UPDATE item SET data = '{\"id\": 7}' WHERE key = 'b'")
    return try await Store<Note>(storage: directory.engine())
  }

  @Test func `one bad row never hides the others, and says what is wrong with it`() async throws {
    let store = try await damagedStore()
    #expect(store.items.map(\.id) == ["a", "c", "d", "e"])
    #expect(store.loadIssues.map(\.key.rawValue) == ["b"])
    #expect(store.loadIssues.first?.reason == "It is not a String at id.")
  }

  @Test func `it stays on disk untouched while others come and go`() async throws {
    let store = try await damagedStore()
    try await store.add(Note(id: "f"))
    try await store.remove(Note(id: "a"))
    let row = try await directory.engine().read(key: CacheKey(verbatim: "b"))
    #expect(row == Data("{\"id\": 7}".utf8))
  }

  @Test func `adding its key replaces it where it was, also after a relaunch`() async throws {
    let store = try await damagedStore()
    try await store.add(Note(id: "b", text: "mended"))
    #expect(store.items.map(\.id) == ["a", "b", "c", "d", "e"])
    #expect(store.loadIssues.isEmpty)
    let relaunched = try await Store<Note>(storage: directory.engine())
    #expect(relaunched.items == store.items)
    #expect(relaunched.loadIssues.isEmpty)
  }

  @Test func `removing its key, or everything, removes it`() async throws {
    let store = try await damagedStore()
    let issues = ChangeCounter { store.loadIssues }
    try await store.remove(Note(id: "b"))
    #expect(store.loadIssues.isEmpty)
    #expect(issues.count == 1)
    let engine = try directory.engine()
    #expect(try await engine.keyExists(CacheKey(verbatim: "b")) == false)
  }

  @Test func `a row whose item has another identifier is an issue, not a duplicate`() async throws {
    let store = try await Store<Note>(storage: directory.engine())
    try await store.add([Note(id: "a"), Note(id: "b")])
    try directory.database().execute("UPDATE item SET key = 'z' WHERE key = 'b'")
    let relaunched = try await Store<Note>(storage: directory.engine())
    #expect(relaunched.items.map(\.id) == ["a"])
    #expect(relaunched.loadIssues.map(\.key.rawValue) == ["z"])
  }
}
