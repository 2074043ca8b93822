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
    let select = try database.statement("SELECT record FROM namespace WHERE name = ?1")
    defer { select.reset() }
    try select.bind(.text(namespace))
    return try select.step() ? NamespaceRecord.definition(in: select.data(0)) : nil
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

  @Test func `an engine without a namespace has default, which belongs to one type`()
    async throws
  {
    do {
      let notes = try await Store<Note>(storage: unnamed())
      try await notes.add(Note(id: "a"))
      #expect(try definition("default") == "items PantryTests.Note")
      let error = StorageError.namespaceTaken(
        namespace: "default", by: "PantryTests.Note", wanted: "PantryTests.ColorTag")
      await #expect(throws: error) { try await Store<ColorTag>(storage: unnamed()) }
    }
    let error = StorageError.otherType(
      namespace: "default", wrote: "PantryTests.Note", asks: "PantryTests.ColorTag")
    await #expect(throws: error) {
      _ = try await nextLaunch { try await Store<ColorTag>(storage: unnamed()) }
    }
    let notes = try await nextLaunch { try await Store<Note>(storage: unnamed()) }
    #expect(notes.items.map(\.id) == ["a"])
  }

  @Test(
    arguments: ["default", "q"],
    ["PantryTests.Note", "PantryTests.ColorTag", ""])
  func `rows of 0.2.0 open for the type that can read all, whichever was recorded last`(
    namespace: String, last: String
  ) async throws {
    try await writeFormer(
      ["a": #"{"id":"a","text":"t"}"#, "b": #"{"id":"b","text":"u"}"#], namespace: namespace,
      last: last)
    do {
      let notes = try await Store<Note>(storage: directory.engine(namespace))
      #expect(notes.items.map(\.text) == ["t", "u"])
    }
    #expect(try definition(namespace) == "items PantryTests.Note")
    // A 0.2.0 that is still open may write this column; it decides nothing any more.
    try directory.database().execute("UPDATE namespace SET type = 'PantryTests.ColorTag'")
    await #expect(
      throws: StorageError.otherType(
        namespace: namespace, wrote: "PantryTests.Note", asks: "PantryTests.ColorTag")
    ) {
      _ = try await nextLaunch { try await Store<ColorTag>(storage: directory.engine(namespace)) }
    }
  }

  @Test(arguments: ["PantryTests.Note", "PantryTests.ColorTag"])
  func `a default of several types is refused and untouched, and read by ObjectStorage`(
    last: String
  ) async throws {
    try await writeFormer(
      ["a": #"{"id":"a","text":"t"}"#, "b": #"{"id":"b","color":7}"#], last: last)
    let before = try await directory.engine("default").readAllDataAndKeys().map(\.data)
    let other = last == "PantryTests.Note" ? "PantryTests.ColorTag" : "PantryTests.Note"
    func refusal<Item: StorableItem & Identifiable>(_ type: Item.Type) async throws -> StorageError?
    where Item.ID == String {
      await #expect(throws: StorageError.self) {
        _ = try await nextLaunch { try await Store<Item>(storage: unnamed()) }
      }
    }
    let errors = [try await refusal(Note.self), try await refusal(ColorTag.self)]
    #expect(
      errors.contains(.otherType(namespace: "default", wrote: last, asks: other)), "\(errors)")
    // Of the last type, the row of the other is named.
    let key = last == "PantryTests.Note" ? "b" : "a"
    #expect(errors.contains(.otherRow(namespace: "default", key: key, asks: last)), "\(errors)")
    let value = AsyncStoredValue(wrappedValue: 1, key: "a", storage: try unnamed())
    await #expect(
      throws: StorageError.otherType(namespace: "default", wrote: last, asks: "AsyncStoredValue")
    ) { try await value.valueHasLoaded() }
    #expect(try await directory.engine("default").readAllDataAndKeys().map(\.data) == before)
    #expect(try definition("default") == nil)

    // As the guide shows.
    func move<Item: StorableItem & Identifiable>(
      _ type: Item.Type, to namespace: String
    ) async throws -> [Item] where Item.ID == String {
      let former = ObjectStorage<Item>(storage: try unnamed())
      let store = try await Store<Item>(storage: directory.engine(namespace))
      for key in try await former.allKeys() {
        // A row of another type.
        guard let item = try? await former.object(forKey: key) else { continue }
        try await store.add(item)
        try await former.removeObject(forKey: key)
      }
      return store.items
    }
    #expect(try await move(Note.self, to: "Notes").map(\.text) == ["t"])
    #expect(try await move(ColorTag.self, to: "Tags").map(\.color) == [7])
    #expect(try await directory.engine("default").keyCount() == 0)
  }

  @Test func `fault 83: a damaged record of a type is reported and recovered, never guessed`()
    async throws
  {
    do {
      let notes = try await Store<Note>(storage: directory.engine())
      try await notes.add(Note(id: "a"))
    }
    let whole = Data("items PantryTests.Note".utf8)
    #expect(try definition("Note") == String(decoding: whole, as: UTF8.self))
    let record = try directory.database().statement("SELECT record FROM namespace").firstData()
    for bit in stride(from: 0, to: record.count * 8, by: 13) {
      var text = record
      text[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(NamespaceRecord.definition(in: text) == nil, "bit \(bit)")
    }
    try directory.database().execute(
      "UPDATE namespace SET record = replace(record, 'PantryTests.Note', 'PantryTests.Nota')")
    let engine = directory.deferredEngine("Note")
    let error = await #expect(throws: StorageError.self) {
      _ = try await nextLaunch { try await Store<Note>(storage: engine) }
    }
    #expect(error.map(SQLiteStorageEngine.reportsDamage) == true)
    #expect(try await engine.check().damage?.contains("the record of the type") == true)
    #expect(try await engine.recover()?.isComplete == true)
    await #expect(throws: StorageError.self) {
      _ = try await nextLaunch { try await Store<ColorTag>(storage: directory.engine()) }
    }
    let notes = try await nextLaunch { try await Store<Note>(storage: directory.engine()) }
    #expect(notes.items.map(\.id) == ["a"])
    #expect(try definition("Note") == String(decoding: whole, as: UTF8.self))
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
    let typed = try reopen(engine, of: storage)
    #expect(
      try await typed.definition(for: RowType(definition: "")) == "objects PantryTests.Note")
  }
}

extension Statement {
  /// The first column of the first row.
  fileprivate func firstData() throws -> Data {
    defer { reset() }
    return try step() ? data(0) : Data()
  }
}
