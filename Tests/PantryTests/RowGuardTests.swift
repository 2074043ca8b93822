import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// An item that can have whatever must not be written.
struct Odd: Codable, Equatable, Sendable {
  enum Oddity: String, Codable {
    case none, nan, reservedName, otherIdentifier
  }

  var id: String
  var oddity = Oddity.none

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  init(id: String, _ oddity: Oddity = .none) { (self.id, self.oddity) = (id, oddity) }

  init(from decoder: any Decoder) throws {
    id = try decoder.container(keyedBy: Name.self).decode(String.self, forKey: Name("id"))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encode(oddity == .otherIdentifier ? id + "'" : id, forKey: Name("id"))
    if oddity == .nan { try container.encode(Decimal.nan, forKey: Name("price")) }
    if oddity == .reservedName { try container.encode(1, forKey: Name("$pantryVersion")) }
  }
}

/// Why a change is refused.
enum Refusal: String, CaseIterable {
  case newerRow, newerRowUnseen, unreadableRow, unreadableRowUnseen, nan, reservedName
  case otherIdentifier, readOnly
  case otherType

  var oddity: Odd.Oddity { Odd.Oddity(rawValue: rawValue) ?? .none }

  /// The row that the storage has under the key.
  var row: String {
    switch self {
    case .newerRow, .newerRowUnseen: #"{"$pantryVersion":9,"id":"b","name":"b","ids":["x"]}"#
    case .unreadableRow, .unreadableRowUnseen: #"{"id":7}"#
    default: #"{"id":"b"}"#
    }
  }

  var isUnreadable: Bool { self == .unreadableRow || self == .unreadableRowUnseen }
  /// Whether the row comes after the storage was opened.
  var isUnseen: Bool { self == .newerRowUnseen || self == .unreadableRowUnseen }

  /// The name of the error.
  var error: String {
    switch self {
    case .newerRow, .newerRowUnseen: "newerModel"
    case .unreadableRow, .unreadableRowUnseen: "unreadable"
    case .nan, .reservedName, .otherIdentifier: "EncodingError"
    case .readOnly: "readOnly"
    case .otherType: "otherType"
    }
  }
}

/// Each way to change the row under a key.
enum Verb: String, CaseIterable {
  case add, addMany, remove, merge, mergeByPolicy, mergeRemoving, update, updateOrAdd
  case chain, chainOfUpdate, transactionAdd, transactionUpdate, transactionMerge
  case transactionRemove, optimisticAdd, optimisticUpdate, optimisticMerge, optimisticRemove
  case storeObject, storeObjects, removeObject, setValue, updateValue, resetValue
  case appendToList, replaceList
  case removeAll, chainRemoveAll, transactionRemoveAll, optimisticRemoveAll, removeAllObjects

  /// Whether it depends on what the row is, so that one that cannot be read is refused.
  var readsRow: Bool {
    switch self {
    case .add, .addMany, .remove, .mergeRemoving, .chain, .transactionRemove, .optimisticAdd,
      .optimisticRemove, .storeObject, .storeObjects, .removeObject, .setValue, .resetValue,
      .replaceList, .removeAll, .chainRemoveAll, .transactionRemoveAll, .optimisticRemoveAll,
      .removeAllObjects:
      false
    default: true
    }
  }

  /// Whether it leaves the rows that a store must not remove, in place of refusing to remove any.
  var spares: Bool {
    switch self {
    case .removeAll, .chainRemoveAll, .transactionRemoveAll, .optimisticRemoveAll: true
    default: false
    }
  }

  /// Whether it writes an item.
  var writesItem: Bool {
    switch self {
    case .remove, .mergeRemoving, .transactionRemove, .optimisticRemove, .removeObject,
      .resetValue, .appendToList, .replaceList, .removeAll, .chainRemoveAll, .transactionRemoveAll,
      .optimisticRemoveAll, .removeAllObjects:
      false
    default: true
    }
  }

  /// Whether what it changes has identifiers of its own.
  var hasIdentifiers: Bool {
    switch self {
    case .storeObject, .storeObjects, .setValue, .updateValue: false
    default: true
    }
  }

  /// Opens what it is a verb of; returns what performs it.
  @MainActor
  func open(
    _ item: Odd, on engine: any StorageEngine
  ) async throws -> @MainActor () async throws -> Void {
    let key = CacheKey(verbatim: item.id)
    switch self {
    case .storeObject, .storeObjects, .removeObject, .removeAllObjects:
      let objects = ObjectStorage<Odd>(storage: engine)
      _ = try await objects.object(forKey: CacheKey(verbatim: "a"))
      return {
        switch self {
        case .storeObject: try await objects.store(item, forKey: key)
        case .storeObjects:
          // Its place among many does not matter.
          var many = (0..<300).map { (CacheKey(verbatim: "\($0)"), Odd(id: "\($0)")) }
          many.insert((key, item), at: 200)
          try await objects.store(many)
        case .removeObject: try await objects.removeObject(forKey: key)
        default: try await objects.removeAllObjects()
        }
      }
    case .setValue, .updateValue, .resetValue:
      let value = AsyncStoredValue(wrappedValue: Odd(id: "?"), key: item.id, storage: engine)
      try await value.valueHasLoaded()
      return {
        switch self {
        case .setValue: try await value.set(item)
        case .updateValue: try await value.update { $0 = item }
        default: try await value.reset()
        }
      }
    case .appendToList, .replaceList:
      let list = try await KeyList(named: item.id, storage: engine)
      return {
        try await self == .appendToList ? list.append("y") : list.replaceAll(with: ["y"])
      }
    default:
      let store = try await Store<Odd>(storage: engine, cacheIdentifier: \.id)
      return { try await perform(item, in: store) }
    }
  }

  @MainActor
  private func perform(_ item: Odd, in store: Store<Odd>) async throws {
    let change: @MainActor (inout Odd) -> Void = { $0 = item }
    switch self {
    case .add: try await store.add(item)
    case .addMany:
      var many = (0..<300).map { Odd(id: "\($0)") }
      many.insert(item, at: 200)
      try await store.add(many)
    case .remove: try await store.remove(item)
    case .merge: try await store.merge([item])
    case .mergeByPolicy: try await store.merge([item]) { _, _ in item }
    case .mergeRemoving: try await store.merge([], removing: [item.id])
    case .update: try await store.update(item.id, change)
    case .updateOrAdd: try await store.update(item.id, orAdd: item, change)
    case .chain: try await store.add(Odd(id: "c")).add(item).run()
    case .chainOfUpdate: try await store.add(Odd(id: "c")).update(item.id, change).run()
    case .transactionAdd: try await store.transaction { $0.add(item, to: store) }
    case .transactionUpdate:
      try await store.transaction { $0.update(item.id, in: store, change) }
    case .transactionMerge: try await store.transaction { $0.merge([item], into: store) }
    case .transactionRemove: try await store.transaction { $0.remove(item, from: store) }
    case .optimisticAdd: try await store.optimistically(store.add(item))
    case .optimisticUpdate: try await store.optimistically(store.update(item.id, change))
    case .optimisticMerge: try await store.optimistically(store.merge([item]))
    case .optimisticRemove: try await store.optimistically(store.remove(item))
    case .removeAll: try await store.removeAll()
    case .chainRemoveAll: try await store.removeAll().run()
    case .transactionRemoveAll: try await store.transaction { $0.removeAll(from: store) }
    case .optimisticRemoveAll: try await store.optimistically(store.removeAll())
    default: break
    }
  }
}

/// What one way of changing a row refuses, all refuse, and nothing is written.
@MainActor
@Suite struct RowGuardTests {
  private nonisolated static var cases: [(EngineKind, Refusal)] {
    EngineKind.allCases.flatMap { kind in Refusal.allCases.map { (kind, $0) } }
      .filter { $0 != (.memory, .readOnly) }
  }

  private func name(of error: any Error) -> String {
    error is StorageError
      ? Mirror(reflecting: error).children.first?.label ?? "\(error)" : "\(type(of: error))"
  }

  @Test(arguments: cases)
  func `every verb refuses what must not be written`(_ kind: EngineKind, _ refusal: Refusal)
    async throws
  {
    for verb in Verb.allCases
    where refusal.oddity == .none
      || verb.writesItem && (refusal != .otherIdentifier || verb.hasIdentifiers)
    {
      let storage = TestStorage(kind)
      let key = CacheKey(verbatim: "b")
      let isList = verb == .appendToList || verb == .replaceList
      let row = isList && refusal.row == #"{"id":"b"}"# ? #"{"name":"b","ids":[]}"# : refusal.row
      let engine = try storage.open()
      if refusal == .otherType {
        let other = RowType(.items, of: TypeName(Photo.self))
        _ = try await engine.record(other, replacing: nil)
      } else {
        _ = try await verb.open(Odd(id: "b"), on: engine)
      }
      try await engine.write(
        Data(#"{"id":"a","name":"a","ids":[]}"#.utf8), key: CacheKey(verbatim: "a"))
      if !refusal.isUnseen { try await engine.write(Data(row.utf8), key: key) }
      var outcome = "done"
      do {
        let perform = try await verb.open(
          Odd(id: "b", refusal.oddity),
          on: refusal == .readOnly ? readOnlyEngine(of: storage) : engine)
        if refusal.isUnseen { try await engine.write(Data(row.utf8), key: key) }
        try await perform()
      } catch {
        outcome = name(of: error)
      }
      let sparesRow = verb.spares && refusal.error != "readOnly" && refusal != .otherType
      let isRefused = !sparesRow && (!refusal.isUnreadable || verb.readsRow)
      #expect(outcome == (isRefused ? refusal.error : "done"), "\(verb)")
      let rows = try await engine.readAllData().map { String(decoding: $0, as: UTF8.self) }
      if isRefused { #expect(rows.dropFirst() == [row], "\(verb)") }
      // Nothing else is left.
      if sparesRow { #expect(rows == [row], "\(verb)") }
    }
  }

  private func readOnlyEngine(of storage: TestStorage) throws -> any StorageEngine {
    storage.kind == .sqlite
      ? try storage.directory.readOnlyEngine()
      : try DiskStorageEngine(directory: storage.directory.storage, readOnly: true)
  }

  @Test func `no verb overwrites a newer row that cannot be read for a moment`() async throws {
    let rows = [#"{"id":"a","name":"a","ids":[]}"#, Refusal.newerRow.row]
    for verb in Verb.allCases {
      let engine = SmallEngine()
      for (key, row) in zip(["a", "b"], rows) {
        try await engine.write(Data(row.utf8), key: CacheKey(verbatim: key))
      }
      let perform = try await verb.open(Odd(id: "b"), on: engine)
      await engine.failToRead(OutOfOrder())
      await #expect(throws: (any Error).self, "\(verb)") { try await perform() }
      await engine.failToRead(nil)
      let row = try await engine.read(key: CacheKey(verbatim: "b"))
      #expect(row == Data(rows[1].utf8), "\(verb)")
      #expect(try await engine.keyCount() == 2, "\(verb)")
    }
  }

  @Test func `a damaged row is replaced, and hides no row of a newer program`() async throws {
    let engine = SmallEngine()
    let newer = Data(Refusal.newerRow.row.utf8)
    try await engine.write(newer, key: CacheKey(verbatim: "b"))
    let store = try await Store<Note>(storage: engine)
    try await store.add(Note(id: "a"))
    let key = CacheKey(verbatim: "a")
    await engine.failToRead(StorageError.damagedFile(path: "a", reason: "of noise"), of: key)
    let error = StorageError.newerModel(type: "PantryTests.Note", version: 9, supported: 0)
    await #expect(throws: error) { try await store.add([Note(id: "a"), Note(id: "b")]) }
    try await store.add(Note(id: "a", text: "new"))
    await engine.failToRead(nil)
    #expect(try await engine.readAllData().first == newer)
    #expect(try await engine.read(key: key) == Data(#"{"id":"a","text":"new"}"#.utf8))
  }

  // MARK: Values in files

  /// Changes of a value, with what they make of `["a"]`.
  private nonisolated static let changes:
    [(make: @Sendable (StoredValue<[String]>) -> Void, result: [String])] = [
      ({ $0.append("b") }, ["a", "b"]), ({ $0.togglePresence("b") }, ["a", "b"]),
      ({ $0.replace("a", with: "b") }, ["b"]), ({ $0.update { $0 = ["b"] } }, ["b"]),
    ]

  @Test(arguments: [#"{"key":7}"#, "{", "[1]", #"{"key":["a"]"#, ""], [false, true])
  func `a value that cannot be read is replaced by set and reset only`(
    _ text: String, isSeen: Bool
  ) async throws {
    let readable = #"{"key":["a"]}"#
    for (number, change) in Self.changes.enumerated() {
      let home = ValueHome()
      try home.write(isSeen ? text : readable, to: home.file("key"))
      let value = home.value([String](), registry: ValueRegistry())
      try home.write(text, to: home.file("key"))
      change.make(value)
      for _ in 0..<2 {
        let error = await #expect(throws: StorageError.self) { try await value.flush() }
        #expect(error.map { name(of: $0) } == "unreadable", "\(number)")
      }
      #expect((value.loadIssue != nil) == isSeen, "\(number)")
      #expect(try home.text() == text, "\(number)")
      #expect(try home.names == ["key.json"], "\(number)")
      // They are made as soon as it can be read.
      try home.write(readable, to: home.file("key"))
      try await value.flush()
      #expect(value.wrappedValue == change.result, "\(number)")
      #expect(value.loadIssue == nil, "\(number)")
    }
    for isReset in [false, true] {
      let home = ValueHome()
      try home.write(isSeen ? text : readable, to: home.file("key"))
      let value = home.value([String](), registry: ValueRegistry())
      try home.write(text, to: home.file("key"))
      value.append("b")
      isReset ? value.reset() : value.set(["c"])
      value.append("d")
      try await value.flush()
      #expect(value.wrappedValue == (isReset ? ["d"] : ["c", "d"]))
      #expect(home.value([String](), registry: ValueRegistry()).wrappedValue == value.wrappedValue)
      // What is no object is kept.
      #expect(try home.names.contains("key.json.corrupt") == (text != #"{"key":7}"#))
    }
  }

  @Test(arguments: [EngineKind.sqlite, .memory])
  func `a transaction of two stores is refused as a whole`(_ kind: EngineKind) async throws {
    let directory = TemporaryDirectory()
    var engines: [any StorageEngine] = [MemoryStorageEngine(), MemoryStorageEngine()]
    if kind == .sqlite { engines = try [directory.engine("one"), directory.engine("two")] }
    let one = try await Store<Note>(storage: engines[0])
    let two = try await Store<Odd>(storage: engines[1], cacheIdentifier: \.id)
    let newer = Data(Refusal.newerRow.row.utf8)
    try await engines[1].write(newer, key: CacheKey(verbatim: "b"))
    await #expect(throws: StorageError.self) {
      try await one.transaction(with: two) { t in
        t.add(Note(id: "a"), to: one)
        t.remove(Odd(id: "b"), from: two)
      }
    }
    #expect(one.items.isEmpty)
    #expect(try await engines[0].keyCount() == 0)
    #expect(try await engines[1].readAllData() == [newer])
  }
}
