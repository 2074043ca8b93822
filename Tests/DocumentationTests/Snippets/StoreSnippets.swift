import Foundation
import Observation
import Pantry

// The snippets of the guides, compiled. `DocumentationTests` checks that the guides match.

enum StoreSnippets {
  // snippet: note
  struct Note: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var text: String
  }
  // end

  @MainActor static func gettingStarted(_ directory: StorageDirectory) async throws {
    // snippet: first-store
    let store = try await Store<Note>(named: "notes")
    try await store.add(Note(id: "1", text: "Buy bamboo"))
    print(store.items)
    // end
    // snippet: store-on-engine
    let engine = try SQLiteStorageEngine(directory: directory, namespace: "notes")
    let notes = try await Store<Note>(storage: engine)
    // end
    print(notes.items)
  }

  @MainActor static func verbs(_ store: Store<Note>, note: Note, notes: [Note]) async throws {
    // snippet: verbs
    try await store.add(note)
    try await store.add(notes)
    try await store.remove(note)
    try await store.removeAll()
    // end

    // snippet: chain
    try await store.removeAll().add(notes).run()
    // end

    // snippet: lookup
    if store.contains(identifier: "1") { print("it is there") }
    print(store["1"]?.text ?? "it is not")
    // end

    // snippet: issues
    for issue in store.loadIssues { print(issue.key.rawValue, issue.reason) }
    // end
  }

  struct Counter: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var count: Int
  }

  struct Name: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var note: String
  }

  @MainActor static func checkThenAct(
    _ counters: Store<Counter>, _ word: String, _ names: Store<Name>, _ notes: Store<Note>,
    name: String, note: Note
  ) async throws {
    // snippet: update-or-add
    try await counters.update(word, orAdd: Counter(id: word, count: 1)) { $0.count += 1 }
    // end

    // snippet: check-two-stores
    let isTaken = try await names.transaction(with: notes) { t in
      guard names[name] == nil else { return true }
      t.add(Name(id: name, note: note.id), to: names)
      t.add(note, to: notes)
      return false
    }
    // end
    print(isTaken)
  }

  @MainActor static func save(
    _ note: Note, in store: Store<Note>, show: (String) -> Void
  ) async {
    // snippet: errors
    do {
      try await store.add(note)
    } catch let error as any PantryError where error.isFull {
      show("The disk is full. Free some space and try again.")
    } catch StorageError.outcomeUnknown {
      show("The note may have been saved. Look at the list before you try again.")
    } catch {
      show("\(error)")
    }
    // end
  }

  @MainActor static func importNotes(from folder: URL, into store: Store<Note>) async throws {
    // snippet: import
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    let notes = try files.map { try JSONDecoder().decode(Note.self, from: Data(contentsOf: $0)) }
    try await store.add(notes)
    // end
  }

  // snippet: excerpt
  @MainActor static func showNotes(in engine: SQLiteStorageEngine) {
    let store = Store<Note>.loadingInBackground(storage: engine, excerptLimit: 20)
    print(store.excerpt?.count ?? store.items.count, "notes, of which the newest are")
    print(store.excerpt?.items ?? store.items)
  }
  // end

  @MainActor static func watch(_ store: Store<Note>) async {
    // snippet: events
    for await event in store.events {
      switch event.operation {
      case .initialized, .loaded: print("there are \(event.items.count) notes")
      case .insert: print("saved", event.items.map(\.text))
      case .remove: print("removed", event.items.map(\.text))
      }
    }
    // end
  }

  // snippet: controller
  @MainActor @Observable final class NotesController {
    @ObservationIgnored @Stored var notes: [Note]

    init(store: Store<Note>) { _notes = Stored(in: store) }

    func save(_ note: Note) async throws { try await $notes.add(note) }
  }
  // end

  // snippet: view
  @MainActor final class NotesView {
    let store: Store<Note>

    init(store: Store<Note>) { self.store = store }

    func draw() { for note in store.items { print(note.text) } }

    func didPressDelete(_ note: Note) {
      Task { try await store.remove(note) }
    }
  }
  // end

  // snippet: preview
  @MainActor static let preview = Store<Note>.previewStore(items: [Note(id: "1", text: "Hello")])
  // end
}

enum AttachmentSnippets {
  // snippet: photo
  struct Photo: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var caption: String
    var picture: Attachment
  }
  // end

  @MainActor static func use(_ store: Store<Photo>, bytes: Data) async throws {
    // snippet: attachment
    let photo = Photo(id: "1", caption: "A red panda", picture: Attachment(bytes))
    try await store.add(photo)  // the row and the bytes, in one transaction
    print(photo.picture.byteCount)  // costs nothing
    let again = try await photo.picture.data()  // read from disk now
    // end
    // snippet: attachment-export
    var copy = photo
    copy.picture = Attachment(again)
    let json = try JSONEncoder().encode(copy)
    // end
    _ = json
  }
}

enum ManyStoresSnippets {
  struct Setting: Codable, Equatable, Identifiable, Sendable { var id: String }
  typealias Note = StoreSnippets.Note

  @MainActor static func open(_ directory: StorageDirectory) async throws {
    // snippet: namespaces
    let notes = try await Store<Note>(
      storage: SQLiteStorageEngine(directory: directory, namespace: "notes"))
    let drafts = try await Store<Note>(
      storage: SQLiteStorageEngine(directory: directory, namespace: "drafts"))
    // end
    let draft = Note(id: "1", text: "Buy bamboo")

    // snippet: transaction
    try await notes.transaction(with: drafts) { t in
      t.remove(draft, from: drafts)
      t.add(draft, to: notes)
      t.update("summary", in: notes) { $0.text = "\(notes.items.count + 1) notes" }
    }
    // end
  }

  @MainActor static func divide(_ directory: StorageDirectory) async throws {
    // snippet: several-types
    let former = ObjectStorage<Note>(storage: try SQLiteStorageEngine(directory: directory))
    let notes = try await Store<Note>(
      storage: SQLiteStorageEngine(directory: directory, namespace: "notes"))
    for key in try await former.allKeys() {
      // A row of another type throws.
      guard let note = try? await former.object(forKey: key) else { continue }
      try await notes.add(note)
      try await former.removeObject(forKey: key)
    }
    // end
  }

  struct Memo: Codable, Equatable, Identifiable, Sendable {
    var id: String
  }

  @MainActor static func openRenamed() async throws {
    // snippet: former-names
    let memos = try await Store<Memo>(formerNames: ["Notes.Note"])
    // end
    _ = memos
  }

  // snippet: stored-value
  @MainActor @Observable final class AppState {
    @ObservationIgnored @StoredValue(key: "sidebarIsOpen") var sidebarIsOpen = true

    func toggleSidebar() { $sidebarIsOpen.toggle() }
  }
  // end
}

enum SyncSnippets {
  struct Server { func save(_ task: TodoTask) async throws -> TodoTask { task } }

  // snippet: synced-model
  struct TodoTask: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var title: String
    var isSynced = false
  }
  // end

  // snippet: answer-first
  @MainActor static func save(_ task: TodoTask, _ server: Server, _ store: Store<TodoTask>)
    async throws
  {
    let answer = try await server.save(task)
    try await store.add(answer)
  }
  // end

  // snippet: shown-at-once
  @MainActor static func saveAtOnce(_ task: TodoTask, _ server: Server, _ store: Store<TodoTask>)
    async throws
  {
    try await store.add(task)  // isSynced is false: the view marks it as not sent
    var answer = try await server.save(task)
    answer.isSynced = true
    try await store.add(answer)  // the same id: it keeps its place
  }

  @MainActor static func sendTheRest(_ server: Server, _ store: Store<TodoTask>) async throws {
    for task in store.items where !task.isSynced { try await saveAtOnce(task, server, store) }
  }
  // end
}
