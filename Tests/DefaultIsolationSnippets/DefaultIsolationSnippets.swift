import Observation
import Pantry

// The snippets of the guide on default isolation, compiled in a module that has it.

// snippet: isolated-model
nonisolated struct Note: Codable, Equatable, Identifiable, Sendable {
  enum Kind: String, Codable { case text, task }  // nonisolated, like the struct around it

  var id: String
  var kind = Kind.text
  var text: String
}

nonisolated extension Note {
  var slug: String { id.lowercased() }
}
// end

// snippet: isolated-controller
extension Store where Item == Note { static let notes = loadingInBackground(named: "notes") }

@Observable final class NotesController {
  @ObservationIgnored @Stored(in: .notes) var notes

  func save(_ note: Note) async throws { try await $notes.add(note) }

  func rename(_ id: String, to text: String) async throws {
    try await $notes.update(id) { $0.text = text }
  }
}
// end

// snippet: isolated-upgrade
nonisolated struct TitledNote: Decodable {
  var id: String
  var title: String
}

nonisolated func note(from old: TitledNote) -> Note { Note(id: old.id, text: old.title) }

func openNotes() async throws -> Store<Note> {
  try await Store(
    named: "notes", cacheIdentifier: \.slug,
    upgrades: [ModelUpgrade { (old: TitledNote) in note(from: old) }])
}
// end
