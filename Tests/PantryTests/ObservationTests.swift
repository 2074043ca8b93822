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

  @Test func `the store named in the wrapper is the shared one`() async throws {
    let controller = SharedNotesController()
    try await controller.$notes.add(Note(id: "shared"))
    #expect(Store<Note>.sharedNotes.items == controller.notes)
    #expect(controller.notes.contains(Note(id: "shared")))
  }
}
