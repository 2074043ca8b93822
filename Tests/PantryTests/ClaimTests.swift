import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// A type whose rows no other one can read.
struct ColorTag: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var color: Int
}

/// The recorded type of a key space, on every engine.
@MainActor
@Suite struct ClaimTests {
  let directory = TemporaryDirectory()

  /// An engine as at a later launch; in memory it is the same.
  func reopen(_ engine: any StorageEngine, of storage: TestStorage) throws -> any StorageEngine {
    try storage.kind == .memory ? engine : storage.open()
  }

  /// Writes rows as version 0.2.0 did: it recorded the type that was opened last.
  func writeFormer(
    _ rows: KeyValuePairs<String, String>, namespace: String = "default", last: String
  ) async throws {
    let engine = try directory.engine(namespace)
    for (key, row) in rows {
      try await engine.write(Data(row.utf8), key: CacheKey(verbatim: key))
    }
    let database = try directory.database()
    try database.statement("UPDATE namespace SET type = ?2 WHERE name = ?1")
      .run(.text(namespace), .text(last))
  }

  func unnamed() throws -> SQLiteStorageEngine {
    try SQLiteStorageEngine(directory: directory.storage)
  }

  func definition(_ namespace: String) throws -> String? {
    let database = try directory.database()
    let select = try database.statement("SELECT definition FROM namespace WHERE name = ?1")
    defer { select.reset() }
    try select.bind(.text(namespace))
    return try select.step() && !select.text(0).isEmpty ? select.text(0) : nil
  }

  // MARK: Every engine

  @Test(arguments: EngineKind.allCases)
  func `fault 91: a second type is an error that names both, even while empty`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    let engine = try storage.open()
    do { _ = try await Store<Home.Item>(storage: engine) }
    let error = await #expect(throws: StorageError.self) {
      _ = try await nextLaunch {
        try await Store<Garden.Item>(storage: reopen(engine, of: storage))
      }
    }
    guard case .otherType(_, let wrote, let asks) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(wrote == "PantryTests.Home.Item")
    #expect(asks == "PantryTests.Garden.Item")
    let objects = ObjectStorage<Garden.Item>(storage: try reopen(engine, of: storage))
    await #expect(throws: StorageError.self) {
      try await objects.store(Garden.Item(id: "a"), forKey: CacheKey("a"))
    }
    await #expect(throws: StorageError.self) { try await objects.removeAllObjects() }
    // The cure that the error names.
    let renamed = try await nextLaunch {
      try await Store<Garden.Item>(
        storage: reopen(engine, of: storage), formerNames: ["PantryTests.Home.Item"])
    }
    try await renamed.add(Garden.Item(id: "a"))
    #expect(renamed.items.count == 1)
  }

  @Test(arguments: EngineKind.allCases)
  func `fault 91: an AsyncStoredValue beside a store is an error, whichever comes first`(
    _ kind: EngineKind
  ) async throws {
    for storeIsFirst in [true, false] {
      let storage = TestStorage(kind)
      let engine = try storage.open()
      let value = AsyncStoredValue<Int>.self
      if storeIsFirst {
        let store = try await Store<Note>(storage: engine)
        let beside = value.init(wrappedValue: 1, key: "a", storage: try reopen(engine, of: storage))
        await #expect(throws: StorageError.self) { try await beside.valueHasLoaded() }
        await #expect(throws: StorageError.self) { try await beside.set(2) }
        #expect(store.items.isEmpty)
      } else {
        let alone = value.init(wrappedValue: 1, key: "a", storage: engine)
        try await alone.valueHasLoaded()
        await #expect(throws: StorageError.self) {
          try await Store<Note>(storage: reopen(engine, of: storage))
        }
        try await alone.set(2)
      }
    }
  }

  @Test(arguments: EngineKind.live)
  func `fault 91: another cacheIdentifier at a later launch is an error, and nothing is written`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    do {
      let store = try await Store<Home.Item>(storage: storage.open())
      try await store.add([Home.Item(id: "a", title: "x"), Home.Item(id: "b", title: "y")])
    }
    let expected = StorageError.otherIdentifier(
      type: "PantryTests.Home.Item", key: "a", identifier: "x")
    await #expect(throws: expected) {
      _ = try await nextLaunch {
        try await Store<Home.Item>(storage: storage.open(), cacheIdentifier: \.title)
      }
    }
    let again = try await nextLaunch { try await Store<Home.Item>(storage: storage.open()) }
    #expect(again.items.map(\.id) == ["a", "b"])
    #expect(again.loadIssues.isEmpty)
  }

  @Test func `fault 91: a second type in another process is an error while the first is open`()
    async throws
  {
    let probe = try ProbeProcess("PantryLiveProbe", ["hold", directory.storage.url.path, "x"])
    #expect(await probe.line() == "held")
    await #expect(
      throws: StorageError.otherType(
        namespace: "Note", wrote: "Note", asks: "PantryTests.Home.Item")
    ) {
      try await Store<Home.Item>(storage: directory.engine())
    }
  }

  // MARK: What 0.2.0 recorded

  @Test func `a type recorded by 0.2.0 does not lock out a type that can read the rows`()
    async throws
  {
    try await writeFormer(["a": #"{"id":"a","text":"t"}"#], namespace: "Note", last: "App.Other")
    do {
      let notes = try await Store<Note>(storage: directory.engine())
      #expect(notes.items.map(\.text) == ["t"])
    }
    // The other one may be the owner.
    #expect(try definition("Note") == nil)
    try directory.database().execute("UPDATE namespace SET type = 'PantryTests.Note'")
    _ = try await nextLaunch { try await Store<Note>(storage: directory.engine()) }
    #expect(try definition("Note") == "items PantryTests.Note")
    // It runs beside, and opens the namespace with another type.
    try directory.database().execute("UPDATE namespace SET type = 'App.Other'")
    let again = try await nextLaunch { try await Store<Note>(storage: directory.engine()) }
    #expect(again.items.map(\.text) == ["t"])
  }

  @Test func `an engine without a namespace takes that of its first store's type`() async throws {
    let engine = try unnamed()
    let notes = try await Store<Note>(storage: engine)
    let tags = try await Store<ColorTag>(storage: unnamed())
    try await notes.add(Note(id: "a"))
    try await tags.add(ColorTag(id: "a", color: 1))
    // As in 0.2.0, which may run beside.
    #expect(engine.namespace == "default")
    #expect(try definition("default") == "items PantryTests.Note")
    #expect(try definition("PantryTests.ColorTag") == "items PantryTests.ColorTag")
    let error = await #expect(throws: StorageError.self) {
      try await Store<ColorTag>(storage: engine)
    }
    #expect(
      error
        == .namespaceTaken(
          namespace: "default", by: "PantryTests.Note", wanted: "PantryTests.ColorTag"))
    let again = try await Store<Note>(storage: unnamed())
    #expect(again.items.map(\.id) == ["a"])
  }

  @Test(arguments: ["PantryTests.Note", "PantryTests.ColorTag", ""])
  func `rows in the common namespace of 0.2.0 stay with the type that can read them`(
    last: String
  ) async throws {
    try await writeFormer(
      ["a": #"{"id":"a","text":"t"}"#, "b": #"{"id":"b","text":"u"}"#], last: last)
    if last != "PantryTests.ColorTag" {
      // Another type that opens the file first has its own namespace.
      let tags = try await Store<ColorTag>(storage: unnamed())
      #expect(tags.items.isEmpty && tags.loadIssues.isEmpty)
    }
    let notes = try await Store<Note>(storage: unnamed())
    #expect(notes.items.map(\.text) == ["t", "u"])
    // Rows that may be another's stay without a record.
    let isRecorded = last != "PantryTests.ColorTag"
    #expect(try definition("default") == (isRecorded ? "items PantryTests.Note" : nil))
    let tags = try await Store<ColorTag>(storage: unnamed())
    try await tags.add(ColorTag(id: "a", color: 1))
    #expect(notes.items.count == 2)
    if isRecorded {
      await #expect(throws: StorageError.self) {
        try await Store<ColorTag>(storage: directory.engine("default"))
      }
    }
  }

  /// A type of the shape of notes.
  struct Draft: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var text: String
  }

  @Test(arguments: ["default", "q"])
  func `a type of the same shape takes no rows that 0.2.0 recorded as another's`(
    namespace: String
  ) async throws {
    try await writeFormer(
      ["a": #"{"id":"a","text":"t"}"#], namespace: namespace, last: "PantryTests.Note")
    func engine() throws -> SQLiteStorageEngine {
      try namespace == "default" ? unnamed() : directory.engine(namespace)
    }
    do {
      let drafts = try await Store<Draft>(storage: engine())
      #expect(drafts.items.map(\.id) == ["a"])
    }
    let notes = try await nextLaunch { try await Store<Note>(storage: engine()) }
    #expect(notes.items.map(\.id) == ["a"])
    #expect(try definition(namespace) == "items PantryTests.Note")
  }

  @Test func `rows that 0.2.0 adds meanwhile are followed, or the type is refused with a reason`()
    async throws
  {
    let notes = try await Store<Note>(storage: unnamed())
    try await notes.add(Note(id: "a"))
    try await writeFormer(["b": #"{"id":"b","text":"t"}"#], last: "PantryTests.Note")
    try await eventually("it is followed") { notes.items.map(\.id) == ["a", "b"] }
    do {
      let tags = try await Store<ColorTag>(storage: unnamed())
      try await tags.add(ColorTag(id: "a", color: 1))
    }
    // 0.2.0 keeps all types in one namespace.
    try await writeFormer(["c": #"{"id":"c","color":7}"#], last: "PantryTests.ColorTag")
    let error = StorageError.leftBehind(namespace: "default", type: "PantryTests.ColorTag")
    await #expect(throws: error) {
      _ = try await nextLaunch { try await Store<ColorTag>(storage: unnamed()) }
    }
    try await eventually("its row is an issue") { notes.loadIssues.map(\.key.rawValue) == ["c"] }
    // The cure that the error names.
    let common = try directory.engine("default")
    let row = try #require(try await common.read(key: CacheKey(verbatim: "c")))
    try await directory.engine("PantryTests.ColorTag").write(row, key: CacheKey(verbatim: "c"))
    try await common.remove(key: CacheKey(verbatim: "c"))
    let tags = try await nextLaunch { try await Store<ColorTag>(storage: unnamed()) }
    #expect(tags.items.map(\.color) == [1, 7])
  }

  @Test func `fault 83: a flipped bit in a recorded type does not lock the type out`() async throws
  {
    do {
      let notes = try await Store<Note>(storage: directory.engine())
      try await notes.add(Note(id: "a"))
    }
    let whole = Data("items PantryTests.Note".utf8)
    for bit in 0..<whole.count * 8 {
      var text = whole
      text[bit / 8] ^= 1 << UInt8(bit % 8)
      let hexadecimal = text.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        .joined()
      try directory.database().execute(
        "UPDATE namespace SET definition = CAST(x'\(hexadecimal)' AS TEXT)")
      let notes = try await nextLaunch { try await Store<Note>(storage: directory.engine()) }
      #expect(notes.items.map(\.id) == ["a"], "bit \(bit)")
    }
    #expect(try definition("Note") == "items PantryTests.Note")
  }

  @Test(arguments: EngineKind.live)
  func `fault 91: another cacheIdentifier is an error, even if a row fits by chance`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    do {
      let store = try await Store<Home.Item>(storage: storage.open())
      for (id, title) in [("b", "x"), ("a", "a"), ("c", "y")] {
        try await store.add(Home.Item(id: id, title: title))
      }
    }
    await #expect(throws: StorageError.self) {
      _ = try await nextLaunch {
        try await Store<Home.Item>(storage: storage.open(), cacheIdentifier: \.title)
      }
    }
  }

  @Test func `a record that cannot be read hides no item`() async throws {
    let storage = TestStorage(.disk)
    do {
      let store = try await Store<Note>(storage: storage.open())
      try await store.add(Note(id: "a"))
    }
    let record = storage.directory.url.appending(path: "store/type")
    try #require(FileManager.default.fileExists(atPath: record.path))
    try FileManager.default.removeItem(at: record)
    // It is not followed.
    try FileManager.default.createSymbolicLink(atPath: record.path, withDestinationPath: "type")
    let store = try await nextLaunch { try await Store<Note>(storage: storage.open()) }
    #expect(store.items.map(\.id) == ["a"])
    try await store.add(Note(id: "b"))
  }

  @Test(arguments: ["PantryTests.Note", ""])
  func `mixed rows of 0.2.0 open as before, until they are divided`(last: String) async throws {
    try await writeFormer(
      ["a": #"{"id":"a","text":"t"}"#, "b": #"{"id":"b","color":7}"#], last: last)
    for engine in [try unnamed(), try directory.engine("default")] {
      do {
        let notes = try await nextLaunch { try await Store<Note>(storage: engine) }
        #expect(notes.items.map(\.id) == ["a"])
        #expect(notes.loadIssues.map(\.key.rawValue) == ["b"])
      }
    }
    do {
      let tags = try await nextLaunch { try await Store<ColorTag>(storage: unnamed()) }
      #expect(tags.items.map(\.color) == [7])
      #expect(tags.loadIssues.map(\.key.rawValue) == ["a"])
      try await tags.add(ColorTag(id: "c", color: 8))
      try await tags.remove(ColorTag(id: "b", color: 7))
      try await tags.removeAll()
      #expect(tags.items.isEmpty)
      try await tags.add(ColorTag(id: "b", color: 7))
    }
    #expect(try definition("default") == nil)
    // Divided: the first type that can read all rows takes the namespace.
    let common = try directory.engine("default")
    try await common.remove(key: CacheKey(verbatim: "b"))
    let notes = try await nextLaunch { try await Store<Note>(storage: unnamed()) }
    #expect(notes.items.map(\.id) == ["a"])
    #expect(try definition("default") == "items PantryTests.Note")
  }

  // MARK: Objects and values

  @Test(arguments: EngineKind.allCases)
  func `fault 91: objects and values leave the rows of 0.2.0 that they cannot read`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    let engine = try storage.open()
    let (a, b) = (CacheKey(verbatim: "a"), CacheKey(verbatim: "b"))
    let row = Data(#"{"id":"a","text":"t"}"#.utf8)
    try await engine.commit([.write(row, key: a), .write(row, key: b)])

    let objects = ObjectStorage<ColorTag>(storage: try reopen(engine, of: storage))
    let tag = ColorTag(id: "c", color: 1)
    await #expect(throws: StorageError.self) { try await objects.store(tag, forKey: a) }
    await #expect(throws: StorageError.self) {
      try await objects.store([(CacheKey("c"), tag), (a, tag)])
    }
    await #expect(throws: StorageError.self) { try await objects.removeObject(forKey: a) }
    await #expect(throws: StorageError.self) {
      try await objects.removeObjects(forKeys: [CacheKey("c"), b])
    }
    await #expect(throws: LoadIssue.self) { try await objects.object(forKey: a) }
    try await objects.store(tag, forKey: CacheKey("c"))
    try await objects.removeAllObjects()
    #expect(try await engine.readAllData() == [row, row])

    let value = AsyncStoredValue(
      wrappedValue: 1, key: "a", storage: try reopen(engine, of: storage))
    try await value.valueHasLoaded()
    #expect(value.wrappedValue == 1 && value.loadIssue != nil)
    await #expect(throws: StorageError.self) { try await value.set(2) }
    await #expect(throws: StorageError.self) { try await value.update { $0 += 1 } }
    let error = await #expect(throws: StorageError.self) { try await value.reset() }
    #expect(String(describing: error).contains("Int"))
    #expect(try await engine.readAllData() == [row, row])
    // The cure that the error names.
    try await engine.remove(key: a)
    try await value.set(2)
    #expect(try await engine.read(key: a) == Data("2".utf8))
  }

  @Test(arguments: EngineKind.allCases)
  func `fault 91: objects adopt rows of 0.2.0 if all of them are theirs`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let engine = try storage.open()
    let row = Data(#"{"id":"a","text":"t"}"#.utf8)
    try await engine.write(row, key: CacheKey("any"))
    let objects = ObjectStorage<Note>(storage: try reopen(engine, of: storage))
    #expect(try await objects.allObjects() == [Note(id: "a", text: "t")])
    let typed = try #require(try reopen(engine, of: storage) as? any TypedStorage)
    #expect(
      try await typed.definition(for: StorageClaim(definition: "")) == "objects PantryTests.Note")
  }
}
