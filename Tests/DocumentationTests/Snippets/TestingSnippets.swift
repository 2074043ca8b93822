import Foundation
import Pantry
import Testing

@Suite struct TestingSnippets {
  typealias Note = StoreSnippets.Note

  // snippet: test-on-disk
  @MainActor @Test func `a saved note is there after a relaunch`() async throws {
    let directory = StorageDirectory.temporary(appendingPath: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory.url) }  // else it stays in /tmp
    let note = Note(id: "1", text: "Buy bamboo")
    let store = try await Store<Note>(storage: SQLiteStorageEngine(directory: directory))
    try await store.add(note)
    let next = try await Store<Note>(storage: SQLiteStorageEngine(directory: directory))
    #expect(next.items == [note])
  }
  // end

  @MainActor static func wait(for note: Note, in store: Store<Note>) async {
    // snippet: test-waiting
    for await items in store.values where items.contains(note) { break }
    // end
  }
}
