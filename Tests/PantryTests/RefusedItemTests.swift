import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Its identifier is never decoded.
private struct Constant: Codable, Equatable, Identifiable, Sendable {
  let id: UUID
  var text = ""

  init(text: String) {
    id = UUID()
    self.text = text
  }

  init(from decoder: any Decoder) throws {
    self.init(
      text: try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text))
  }
}

/// Its identifier is not encoded.
private struct Uncoded: Codable, Equatable, Identifiable, Sendable {
  var id = UUID()
  var text = ""

  private enum CodingKeys: String, CodingKey { case text }
}

/// Encodes numbers that it does not decode.
private struct Percent: Codable, Equatable, Identifiable, Sendable {
  struct OutOfRange: Error {}

  var id: String
  var value: Int

  init(id: String, value: Int) {
    self.id = id
    self.value = value
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    value = try container.decode(Int.self, forKey: .value)
    guard (0...100).contains(value) else { throw OutOfRange() }
  }
}

private struct Marked: Codable, Equatable, Identifiable, Sendable {
  var version = 99
  var id: String
  var value = 1

  private enum CodingKeys: String, CodingKey {
    case version = "$pantryVersion"
    case id
    case value = "$pantryValue"
  }
}

private struct MarkedLater: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var version = 99

  private enum CodingKeys: String, CodingKey {
    case id
    case version = "$pantryVersion"
  }
}

/// Whatever could not be read again is refused before anything is written.
@MainActor
@Suite struct RefusedItemTests {
  private let unreadable = "could not be read again"

  /// Expects an `EncodingError` whose words contain `words`, and an unchanged storage.
  private func expectRefusal(
    _ words: String, in storage: TestStorage, sourceLocation: SourceLocation = #_sourceLocation,
    _ write: () async throws -> Void
  ) async throws {
    let former = try await storage.open().readAllData()
    let error = await #expect(throws: EncodingError.self, sourceLocation: sourceLocation) {
      try await write()
    }
    #expect("\(try #require(error))".contains(words), sourceLocation: sourceLocation)
    #expect(try await storage.open().readAllData() == former, sourceLocation: sourceLocation)
  }

  @Test(arguments: EngineKind.allCases)
  func `fault 90: an identifier that is not encoded is refused at the first add`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    let constant = try await Store<Constant>(storage: storage.open())
    try await expectRefusal("var id = UUID()", in: storage) {
      try await constant.add(Constant(text: "a"))
    }
    #expect(constant.items.isEmpty)
    let other = TestStorage(kind)
    let uncoded = try await Store<Uncoded>(storage: other.open())
    try await expectRefusal("CodingKeys", in: other) {
      try await uncoded.add((0..<500).map { Uncoded(text: "\($0)") })
    }
    #expect(uncoded.items.isEmpty)
  }

  @Test(arguments: EngineKind.allCases)
  func `fault 90: a member with a name of Pantry's is refused, with and without upgrades`(
    _ kind: EngineKind
  ) async throws {
    for upgrades in [[], [ModelUpgrade.setting("x", to: 1)]] {
      let storage = TestStorage(kind)
      let store = try await Store<Marked>(storage: storage.open(), upgrades: upgrades)
      try await expectRefusal("$pantryV", in: storage) { try await store.add(Marked(id: "a")) }
      let later = TestStorage(kind)
      let second = try await Store<MarkedLater>(storage: later.open(), upgrades: upgrades)
      try await expectRefusal("$pantryVersion", in: later) {
        try await second.add(MarkedLater(id: "a"))
      }
    }
  }

  @Test func `an item that its own decoder refuses is not accepted after others`() async throws {
    let storage = TestStorage(.sqlite)
    let store = try await Store<Percent>(storage: storage.open())
    try await store.add(Percent(id: "a", value: 7))
    try await expectRefusal("OutOfRange", in: storage) {
      try await store.add(Percent(id: "b", value: 101))
    }
    try await expectRefusal("OutOfRange", in: storage) {
      try await store.add([Percent(id: "b", value: 1), Percent(id: "c", value: 101)])
    }
    #expect(store.items.map(\.id) == ["a"])
  }

  @Test func `rows in a custom format are read back as well`() async throws {
    let storage = TestStorage(.sqlite)
    let coding = RowCoding<Note> { note in
      try JSONEncoder().encode(note)
    } decode: { data in
      var note = try JSONDecoder().decode(Note.self, from: data)
      if note.text == "b" { note.id = "other" }
      if note.text == "c" { throw OutOfOrder() }
      return note
    }
    let store = try await Store<Note>(
      storage: storage.open(), cacheIdentifier: \.id, coding: coding)
    try await store.add(Note(id: "a"))
    try await expectRefusal("other", in: storage) {
      try await store.add(Note(id: "b", text: "b"))
    }
    try await expectRefusal("OutOfOrder", in: storage) {
      try await store.add(Note(id: "c", text: "c"))
    }
    #expect(store.items == [Note(id: "a")])
  }

  @Test(arguments: EngineKind.allCases)
  func `fault 90: values and objects that could not be read back are refused`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    let objects = ObjectStorage<[Decimal]>(storage: try storage.open())
    try await expectRefusal(unreadable, in: storage) {
      try await objects.store([1, .nan], forKey: CacheKey("a"))
    }
    let other = TestStorage(kind)
    let value = AsyncStoredValue(wrappedValue: Decimal(1), key: "v", storage: try other.open())
    try await expectRefusal(unreadable, in: other) { try await value.set(.nan) }
    #expect(value.wrappedValue == 1)
    let home = ValueHome()
    let stored = home.value([Decimal(1)], registry: ValueRegistry())
    stored.set([2])
    try await stored.flush()
    stored.set([.nan])
    await #expect(throws: EncodingError.self) { try await stored.flush() }
    #expect(home.value([Decimal](), registry: ValueRegistry()).wrappedValue == [2])
  }

  // MARK: Rows that are there already

  @Test(arguments: EngineKind.allCases)
  func `fault 90: rows of a newer version can be removed by their issues, and by nothing else`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    let newer = Data(#"{"$pantryVersion":9,"id":"b"}"#.utf8)
    let engine = try storage.open()
    try await engine.write(Data(#"{"id":7}"#.utf8), key: CacheKey(verbatim: "a"))
    try await engine.write(newer, key: CacheKey(verbatim: "b"))
    try await engine.write(newer, key: CacheKey(verbatim: "c"))
    let store = try await Store<Note>(storage: storage.open())
    #expect(store.loadIssues.count == 3)
    try await store.removeAll()
    #expect(store.loadIssues.count == 3)
    let issues = ChangeCounter { store.loadIssues }
    try await store.removeRows(of: Array(store.loadIssues.prefix(2)))
    #expect(issues.count == 1)
    #expect(store.loadIssues.map(\.key.rawValue) == ["c"])
    #expect(try await storage.open().readAllData() == [newer])
    // An issue that is no longer so removes nothing.
    let former = store.loadIssues
    try await store.removeRows(of: former)
    try await store.add(Note(id: "c"))
    try await store.removeRows(of: former)
    #expect(store.items == [Note(id: "c")])
    try await store.removeAll()
    #expect(try await storage.open().keyCount() == 0)
  }
}
