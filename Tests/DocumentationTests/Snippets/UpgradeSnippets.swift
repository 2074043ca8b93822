import FoundationEssentials
import Glibc
import Pantry

/// The code of the guides about what happens to files: "When a model changes", the end of a
/// program, and backups.
enum UpgradeSnippets {
  struct Note: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var body: String
    var favorites: Int
    var tags: [String]
  }

  struct NoteWithOneTag: Codable {
    var id: String
    var body: String
    var favorites: Int
    var tag: String
  }

  struct OldestNote: Codable {
    var id: String
    var title: String
  }

  @MainActor static func open(_ engine: SQLiteStorageEngine) async throws {
    // snippet: upgrades
    let notes = try await Store<Note>(
      storage: engine,
      upgrades: [
        .setting("favorites", to: 0),
        .renaming("text", to: "body"),
        ModelUpgrade { (old: NoteWithOneTag) in
          Note(id: old.id, body: old.body, favorites: old.favorites, tags: [old.tag])
        },
      ])
    // end

    // snippet: salvage
    for issue in notes.loadIssues {
      if let old = try? JSONDecoder().decode(OldestNote.self, from: issue.data) {
        try await notes.add(Note(id: old.id, body: old.title, favorites: 0, tags: []))
      }
    }
    // end
  }

  @MainActor static func end(_ store: Store<Note>) async throws {
    // snippet: ending
    let runs = StoredValue(wrappedValue: 0, key: "runs")
    runs.update { $0 += 1 }
    // end

    // snippet: close
    try await store.close()
    try await runs.flush()
    // end
  }

  @MainActor static func copy(_ engine: SQLiteStorageEngine, to folder: URL) async throws {
    // snippet: backup
    try await engine.backup(to: folder.appending(path: "notes-backup.sqlite"))
    // end
  }

  @MainActor static func stop(_ store: Store<Note>, on engine: SQLiteStorageEngine) async {
    // snippet: between-writes
    await store.operationsHaveEnded()
    engine.betweenWrites { _ = raise(SIGSTOP) }
    // end
  }

  @MainActor static func recover(
    _ store: Store<Note>, on engine: SQLiteStorageEngine, show: (String) -> Void
  ) async throws {
    // snippet: recover
    do {
      try await store.itemsHaveLoaded()
    } catch let error where SQLiteStorageEngine.reportsDamage(error) {
      if let report = try await engine.recover() {
        show("\(report.rowCount) rows were recovered. The damaged file: \(report.originalPath)")
      }
      try await store.itemsHaveLoaded()
    }
    // end
  }
}
