import Foundation
import MiscLibrary
import Pantry

#if canImport(PantryPostgres)
  import PantryPostgres
#endif

// Written for Scripts/make-pantry-fixture, against what versions 0.1.0 and later have in common.

struct Note: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var text: String
}

struct Tag: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var weight: Int
}

struct Photo: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var picture: Attachment

  /// A photo whose bytes follow from a number.
  init(_ id: String, _ number: Int) {
    self.id = id
    picture = Attachment(Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 * $0 + number) }))
  }
}

struct Thing: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var count: Int
}

@MainActor enum Settings {
  @StoredValue(key: "runs") static var runs = 0
  @StoredValue(key: "Last Query") static var query: String?
}

/// Performs one step of a recording, as a program does that ends when it is done.
@main struct Recorder {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let place = arguments.last ?? ""
    let directory = StorageDirectory(url: URL(filePath: place))
    switch arguments.first {
    case "disk": try await notes(Store(storage: DiskStorageEngine(directory: directory)))
    case "disk-photos": try await photos(Store(storage: DiskStorageEngine(directory: directory)))
    case "disk-chain": try await chain(Store(storage: DiskStorageEngine(directory: directory)))
    case "disk-lists": try await lists(DiskStorageEngine(directory: directory))
    case "lists": try await lists(SQLiteStorageEngine(directory: directory, namespace: "lists"))
    case "default-notes":
      let store = try await Store<Note>(storage: SQLiteStorageEngine(directory: directory))
      try await store.add((1...3).map { Note(id: "note \($0)", text: "text \($0)") })
    case "default-tags":
      let store = try await Store<Tag>(storage: SQLiteStorageEngine(directory: directory))
      try await store.add((1...2).map { Tag(id: "tag \($0)", weight: $0) })
    case "default-open-notes":
      _ = try await Store<Note>(storage: SQLiteStorageEngine(directory: directory))
    case "default-open-tags":
      _ = try await Store<Tag>(storage: SQLiteStorageEngine(directory: directory))
    case "default-value":
      let value = try AsyncStoredValue(
        wrappedValue: 5, key: "volume", storage: SQLiteStorageEngine(directory: directory))
      try await value.set(11)
    case "program": try await program()
    case "library": try await MiscLibrary.record()
    #if canImport(PantryPostgres)
      case "server":
        try await notes(Store(storage: PostgresStorageEngine(place, namespace: "notes")))
        try await photos(Store(storage: PostgresStorageEngine(place, namespace: "photos")))
    #endif
    default: fatalError("unknown step: \(arguments)")
    }
  }

  /// Stores notes with odd keys; one of them is overwritten, another one removed.
  @MainActor private static func notes(_ store: Store<Note>) async throws {
    try await store.add(Note(id: "first", text: "one"))
    try await store.add([
      Note(id: "changed", text: "before"), Note(id: "removed", text: "gone"),
      Note(id: "../naïve/🐼", text: "two\nlines"),
      Note(id: String(repeating: "long ", count: 80), text: ""),
    ])
    try await store.add(Note(id: "changed", text: "after"))
    try await store.remove(Note(id: "removed", text: ""))
  }

  @MainActor private static func photos(_ store: Store<Photo>) async throws {
    try await store.add([Photo("one", 1), Photo("two", 2), Photo("three", 3)])
    try await store.remove(Photo("two", 2))
  }

  /// Keeps a list that is so long that 0.2.0 has several rows for it, and a short one.
  @MainActor private static func lists(_ engine: any StorageEngine) async throws {
    let long = try await KeyList(named: "long", storage: engine)
    try await long.append((0..<1_000).map { "id \($0)" })
    try await long.insert("new", at: 500)
    try await long.remove("id 3")
    try await KeyList(named: "short", storage: engine).append(["b", "a"])
  }

  /// Is killed in the middle of its commit.
  @MainActor private static func chain(_ store: Store<Note>) async throws {
    try await store.remove(Note(id: "first", text: "")).add([
      Note(id: "changed", text: "by the chain"), Note(id: "added", text: "by the chain"),
    ]).run()
  }

  /// Stores in the default places of the program, and values of both kinds.
  @MainActor private static func program() async throws {
    let things = try await Store<Thing>()
    try await things.add((1...4).map { Thing(id: "program \($0)", count: $0) })
    try await things.remove(Thing(id: "program 2", count: 0))
    try await photos(Store<Photo>())
    Settings.$runs.set(3)
    Settings.$query.set("red pandas – naïve")
    try await Settings.$query.flush()
    try await Settings.$runs.flush()
    let zoom = AsyncStoredValue(
      wrappedValue: 1.0, key: "zoom",
      storage: SQLiteStorageEngine.default(appendingPath: "tool", namespace: "settings"))
    try await zoom.set(2.5)
  }
}
