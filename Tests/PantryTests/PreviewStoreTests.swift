import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

private struct Picture: Codable, Equatable, Identifiable, Sendable {
  var id = UUID()
  var name: String
}

private struct Word: Codable, Equatable, Sendable {
  var text: String
  var count = 1
}

@MainActor
@Suite struct PreviewStoreTests {
  @Test func `items are available immediately, in order, the last of each duplicate`() {
    let notes = Note.numbered(0..<20)
    let store = Store.previewStore(items: notes)
    #expect(store.items == notes)
    #expect(store.hasLoaded)
    let pictures = [Picture(name: "a"), Picture(name: "b")]
    #expect(Store.previewStore(items: pictures).items == pictures)
    let words = [Word(text: "a"), Word(text: "b"), Word(text: "a", count: 2)]
    let wordStore = Store.previewStore(items: words, cacheIdentifier: \.text)
    #expect(wordStore.items == [Word(text: "a", count: 2), Word(text: "b")])
  }

  @Test func `a preview store supports every operation`() async throws {
    let notes = Note.numbered(0..<4)
    let store = Store.previewStore(items: Array(notes[..<3]))
    let changes = ChangeCounter { store.items }
    try await store.itemsHaveLoaded()
    try await store.add(notes[3])
    try await store.remove(notes[1])
    #expect(changes.latest == [notes[0], notes[2], notes[3]])
    #expect(changes.count == 2)
    try await store.removeAll().add(notes[1]).run()
    #expect(store.items == [notes[1]])
    #expect(store.core.storage is MemoryStorageEngine)
  }
}
