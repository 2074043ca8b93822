import CPantrySQLite
import Foundation
import Glibc
import Pantry
import PantryPostgres

/// A separate process that uses a database, for tests that need real processes.
///
/// Its first argument is the action, the second the directory of a file, or the address of a
/// PostgreSQL database; it prints a line for each event that a test waits for.
@main @MainActor struct LiveProbe {
  // Private, so that its bare name counts: the tests have a Note in their own module.
  private struct Note: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var text = ""
  }

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 3 else {
      fatalError(
        "usage: PantryLiveProbe write|peer|count|add|shell|die|hold|move|upgrade|recover|compact|look|end DIRECTORY NAME [COUNT [TOTAL]]"
      )
    }
    let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
    let total = arguments.count > 4 ? Int(arguments[4]) ?? 0 : 0
    switch arguments[0] {
    case "write":
      try await write(open(arguments[1]), name: arguments[2], count: count)
      tell("done")
    case "peer": try await peer(open(arguments[1]), arguments[2], count: count, total: total)
    case "count": try await countUp(open(arguments[1]), arguments[2])
    case "add": try await add(count, in: arguments[1], to: arguments[2])
    case "shell": shell(arguments[1], name: arguments[2], count: count)
    case "die": die(arguments[1], name: arguments[2])
    case "move": try await move(open(arguments[1]), open(arguments[1], "Shelf"))
    case "upgrade":
      StatementKiller.kill(atStatement: count)
      _ = try await open(arguments[1], arguments[2]).items
      tell("done")
    case "recover":
      let engine = SQLiteStorageEngine.deferred(
        directory: StorageDirectory(url: URL(filePath: arguments[1])), namespace: arguments[2])
      StatementKiller.kill(atStatement: count)
      try await engine.recover()
      tell("done")
    case "compact":
      do {
        try await compact(arguments[1], count: count)
        tell("done")
      } catch {
        tell("\(error)")
      }
    case "look": await look(arguments[1], arguments[2])
    case "end": try await end(in: arguments[1], by: Ending(rawValue: arguments[2])!)
    case "hold": try await hold(open(arguments[1]), name: arguments[2])
    default: fatalError("\(arguments[0]) is nothing that it can do")
    }
  }

  private static func open(
    _ directory: String, _ namespace: String = "Note"
  ) async throws -> Store<Note> {
    guard directory.hasPrefix("/") else {
      return try await Store(storage: PostgresStorageEngine(directory, namespace: namespace))
    }
    let engine = try SQLiteStorageEngine(
      directory: StorageDirectory(url: URL(filePath: directory)), namespace: namespace)
    return try await Store(storage: engine)
  }

  static func tell(_ text: String) {
    print(text)
    fflush(nil)
  }

  /// Adds a note, and keeps the file open until a line is read; prints what became of another note.
  private static func hold(_ store: Store<Note>, name: String) async throws {
    try await store.add(Note(id: name))
    tell("held")
    _ = readLine()
    do {
      try await store.add(Note(id: name + " again"))
      tell("saved")
    } catch {
      tell("\(error)")
    }
  }

  /// Moves notes from one store to the other and counts in both, until it is killed; prints its
  /// progress after each move.
  private static func move(_ notes: Store<Note>, _ shelf: Store<Note>) async throws {
    for number in (Int(notes["count"]?.text ?? "") ?? 0)... {
      try await notes.transaction(with: shelf) { t in
        let id = "\(number % 5)"
        let (from, to) = notes[id] == nil ? (shelf, notes) : (notes, shelf)
        t.remove(Note(id: id), from: from)
        t.add(Note(id: id, text: "moved \(number)"), to: to)
        for store in [notes, shelf] { t.add(Note(id: "count", text: "\(number + 1)"), to: store) }
      }
      tell("\(number + 1)")
    }
  }

  /// Adds notes, changes some and removes some, each in a commit of its own.
  private static func write(_ store: Store<Note>, name: String, count: Int) async throws {
    for number in 0..<count {
      try await store.add(Note(id: "\(name)-\(number)", text: "written"))
    }
  }

  /// Writes, changes and removes, and waits until it has all writes of all processes; prints the
  /// notes in order.
  ///
  /// - Parameter total: the final value of the note in which all processes count.
  private static func peer(
    _ store: Store<Note>, _ name: String, count: Int, total: Int
  ) async throws {
    try await write(store, name: name, count: count)
    for number in stride(from: 0, to: count, by: 5) {
      try await store.remove(Note(id: "\(name)-\(number)"))
      try await store.update("\(name)-\(number + 1)") { $0.text = "changed" }
    }
    // Each adds one to the same note: none may be lost.
    for _ in 0..<count { try await store.update("sum") { $0.text = "\((Int($0.text) ?? 0) + 1)" } }
    // The sum is what each writes last.
    for await _ in store.values where store["sum"]?.text == "\(total)" { break }
    tell(store.items.map { "\($0.id) \($0.text)" }.joined(separator: ","))
  }

  /// Adds one to the note of all processes and to its own, in one commit, until there is a line to
  /// read; prints its own count after each commit.
  private static func countUp(_ store: Store<Note>, _ name: String) async throws {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while poll(&input, 1, 0) == 0 {
      let own = try await store.transaction { t in
        let counts = ["sum", name].map { (id: $0, count: Int(store[$0]?.text ?? "") ?? 0) }
        t.add(counts.map { Note(id: $0.id, text: "\($0.count + 1)") }, to: store)
        return counts[1].count + 1
      }
      tell("\(own)")
    }
  }

  /// Adds one to a value, again and again.
  ///
  /// - Parameter kind: `stored` or `async`.
  private static func add(_ count: Int, in directory: String, to kind: String) async throws {
    let place = StorageDirectory(url: URL(filePath: directory))
    if kind == "stored" {
      let value = StoredValue(wrappedValue: 0, key: "count", directory: place)
      for number in 0..<count {
        value.update { $0 += 1 }
        // Some changes are written alone, and some together.
        if number % 3 == 0 { try await value.flush() }
      }
      try await value.flush()
    } else {
      let engine = try SQLiteStorageEngine(directory: place, namespace: "values")
      let value = AsyncStoredValue(wrappedValue: 0, key: "count", storage: engine)
      for _ in 0..<count { try await value.update { $0 += 1 } }
    }
    tell("done")
  }

  /// Adds notes, removes half of them, copies the file in both ways and rewrites it.
  private static func compact(_ directory: String, count: Int) async throws {
    let place = StorageDirectory(url: URL(filePath: directory))
    let engine = try SQLiteStorageEngine(directory: place, namespace: "Note")
    let store = try await Store<Note>(storage: engine)
    let text = String(repeating: "text ", count: 200)
    try await store.add((0..<count).map { Note(id: "\($0)", text: text) })
    try await store.remove((0..<count / 2).map { Note(id: "\($0)") })
    try await engine.backUpRows()
    try await engine.backup(to: place.url.appending(path: "copy.sqlite"))
    try await engine.compact()
  }

  /// Opens a storage and prints its notes, the outcome of adding one, and the notes again; after
  /// reading a line, it prints its keys and the outcome of another attempt.
  ///
  /// - Parameter kind: `sqlite` or `disk`, with the suffix `-readonly` to open it read-only; or
  ///   `value`, which is set.
  private static func look(_ directory: String, _ kind: String) async {
    let place = StorageDirectory(url: URL(filePath: directory))
    let isReadOnly = kind.hasSuffix("-readonly")
    do {
      if kind == "value" {
        let value = StoredValue(wrappedValue: "", key: "note", directory: place)
        value.set("new")
        try await value.flush()
        return tell("saved")
      }
      let engine: any StorageEngine =
        kind.hasPrefix("disk")
        ? try DiskStorageEngine(directory: place, readOnly: isReadOnly)
        : try SQLiteStorageEngine(directory: place, namespace: "Note", readOnly: isReadOnly)
      let store = try await Store<Note>(storage: engine)
      tell(store.items.map(\.id).joined(separator: ","))
      await tellAdding(Note(id: "new"), to: store)
      tell(store.items.map(\.id).joined(separator: ","))
      guard readLine() != nil else { return }
      tell(try await engine.allKeys().map(\.rawValue).joined(separator: ","))
      await tellAdding(Note(id: "new"), to: store)
    } catch {
      tell("\(error)")
    }
  }

  private static func tellAdding(_ note: Note, to store: Store<Note>) async {
    do {
      try await store.add(note)
      tell("saved")
    } catch {
      tell("\(error)")
    }
  }

  // MARK: Writers that know nothing of Pantry

  /// Writes as the sqlite3 shell would, with a checkpoint after every third commit.
  private static func shell(_ directory: String, name: String, count: Int) {
    let database = connect(directory)
    for number in 0..<count {
      run(insert("\(name)-\(number)"), on: database)
      if number % 3 == 0 { run("PRAGMA wal_checkpoint(TRUNCATE)", on: database) }
    }
    sqlite3_close_v2(database)
    tell("done")
  }

  /// Commits and is killed before it can do anything else.
  private static func die(_ directory: String, name: String) {
    run(insert(name), on: connect(directory))
    kill(getpid(), SIGKILL)
  }

  static func connect(_ directory: String) -> OpaquePointer? {
    var database: OpaquePointer?
    sqlite3_open(directory + "/pantry.sqlite", &database)
    sqlite3_busy_timeout(database, 10_000)
    return database
  }

  static func run(_ sql: String, on database: OpaquePointer?) {
    guard sqlite3_exec(database, sql, nil, nil, nil) == pantry_sqlite3_ok else {
      fatalError(String(cString: sqlite3_errmsg(database)))
    }
  }

  static func insert(_ id: String) -> String {
    """
    INSERT INTO item (namespace, key, data, createdAt, updatedAt)
    VALUES (1, '\(id)', '{"id":"\(id)","text":"shell"}', 1, 1)
    """
  }
}
