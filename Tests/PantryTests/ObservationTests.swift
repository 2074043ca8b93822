import Observation
import PandaTestSupport
import Testing

@testable import Pantry

extension Store where Item == Note {
  static let sharedNotes = Store<Note>.loadingInBackground(storage: MemoryStorageEngine())
}

/// Both forms of `@Stored`, as an app writes them.
@MainActor @Observable
private final class NotesController {
  @ObservationIgnored @Stored var notes: [Note]

  init(store: Store<Note>) { _notes = Stored(in: store) }

  func save(_ note: Note) async throws { try await $notes.add(note) }
}

@MainActor @Observable
private final class SharedNotesController {
  @ObservationIgnored @Stored(in: .sharedNotes) var notes
}

@MainActor
@Suite struct ObservationTests {
  @Test(arguments: EngineKind.allCases)
  func `an observer of one controller is notified when another saves`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    let card = NotesController(store: store)
    let carousel = NotesController(store: store)
    let changes = ChangeCounter { carousel.notes }
    try await card.save(Note(id: "a"))
    #expect(changes.count == 1)
    #expect(carousel.notes == [Note(id: "a")])
  }

  @Test(arguments: EngineKind.allCases)
  func `adding nothing or the same, or removing absent items, notifies no observer`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(Note(id: "a"))
    let changes = ChangeCounter { store.items }
    try await store.add([])
    try await store.add(Note(id: "a"))
    try await store.remove(Note(id: "absent"))
    try await store.remove([])
    #expect(changes.count == 0)
    try await store.removeAll()
    #expect(changes.count == 1)
    try await store.removeAll()
    #expect(changes.count == 1)
  }

  @Test(arguments: EngineKind.allCases)
  func `a chain whose steps undo each other notifies no observer`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    let notes = Note.numbered(0..<3)
    try await store.add(notes)
    let changes = ChangeCounter { store.items }
    try await store.add(Note(id: "x")).remove(Note(id: "x")).run()
    try await store.removeAll().add(notes).run()
    #expect(changes.count == 0)
    try await store.remove(notes[0]).add(notes[0]).run()
    #expect(changes.count == 1)
    #expect(changes.latest == [notes[1], notes[2], notes[0]])
  }

  @Test func `the store named in the wrapper is the shared one`() async throws {
    let controller = SharedNotesController()
    try await controller.$notes.add(Note(id: "shared"))
    #expect(Store<Note>.sharedNotes.items == controller.notes)
    #expect(controller.notes.contains(Note(id: "shared")))
  }

  @Test(arguments: EngineKind.allCases)
  func `loading notifies observers once`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let first = try await Store<Note>(storage: storage.open())
    try await first.add(Note.numbered(0..<20))
    func makeStore() throws -> Store<Note> {
      .loadingInBackground(storage: try storage.open())
    }
    let store = try makeStore()
    let changes = ChangeCounter { store.items }
    try await store.itemsHaveLoaded()
    #expect(changes.count == 1)
    #expect(changes.latest.count == 20)
  }
}
