// The README's ten lines, as they stand there.

// snippet: readme
import Observation
import Pantry

struct Note: Codable, Equatable, Identifiable, Sendable { var id: String; var text: String }

extension Store where Item == Note { static let notes = loadingInBackground(named: "notes") }

@MainActor @Observable final class NotesController {
  @ObservationIgnored @Stored(in: .notes) var notes
  func save(_ note: Note) async throws { try await $notes.add(note) }
  func replaceAll(by new: [Note]) async throws { try await $notes.removeAll().add(new).run() }
}
// end
