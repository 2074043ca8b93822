import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Equal to every contact with its identifier, as in models written for a list of rows.
private struct Contact: Codable, Identifiable, Sendable {
  var id: String
  var name = ""
}

extension Contact: Equatable {
  static func == (left: Contact, right: Contact) -> Bool { left.id == right.id }
}

/// Compares more than it stores.
private struct Draft: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var text = ""
  var isSelected = false

  private enum CodingKeys: String, CodingKey { case id, text }
}

/// Bytes decide what is written, and whether observers are notified; `==` decides nothing.
@MainActor
@Suite struct ComparedBytesTests {
  /// A store of three contacts, and what its observers see of the first.
  @MainActor
  private final class Watched {
    let store: Store<Contact>
    let all: ChangeCounter<[Contact]>
    let one: ChangeCounter<Contact?>
    let events: AsyncStream<StoreEvent<Contact>>

    init(_ storage: any StorageEngine) async throws {
      let store = try await Store<Contact>(storage: storage)
      try await store.add("abc".map { Contact(id: String($0), name: "old") })
      self.store = store
      all = ChangeCounter { store.items }
      one = ChangeCounter { store["a"] }
      events = store.events
    }

    /// Expects that the first contact has been renamed, once, everywhere.
    func expectRenamed(
      in storage: TestStorage, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      #expect(store["a"]?.name == "new", sourceLocation: sourceLocation)
      #expect(all.count == 1, sourceLocation: sourceLocation)
      #expect(one.count == 1, sourceLocation: sourceLocation)
      let told = try await withDeadline { [events] in
        for await event in events where event.operation == .insert { return event.items }
        return []
      }
      #expect(told.map(\.name) == ["new"], sourceLocation: sourceLocation)
      let row = try await storage.open().read(key: CacheKey(verbatim: "a"))
      let text = String(decoding: try #require(row), as: UTF8.self)
      #expect(text.contains("new"), sourceLocation: sourceLocation)
      let relaunched = try await Store<Contact>(storage: storage.open())
      #expect(relaunched["a"]?.name == "new", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `fault 90: any change writes an item that == considers unchanged`(
    _ kind: EngineKind
  ) async throws {
    let new = Contact(id: "a", name: "new")
    let changes: [@MainActor (Store<Contact>) async throws -> Void] = [
      { try await $0.update("a") { $0.name = "new" } },
      { store in try await store.optimistically(store.update("a") { $0.name = "new" }) },
      { try await $0.add(new) },
      { try await $0.merge([new]) },
      { try await $0.merge([new]) { _, new in new } },
      { try await $0.add(Contact(id: "a", name: "x")).add(new).run() },
      { store in try await store.transaction { $0.add(new, to: store) } },
      { store in try await store.transaction { $0.update("a", in: store) { $0.name = "new" } } },
    ]
    for change in changes {
      let storage = TestStorage(kind)
      let watched = try await Watched(storage.open())
      try await change(watched.store)
      try await watched.expectRenamed(in: storage)
    }
  }

  @Test(arguments: EngineKind.live)
  func `a change by another process is shown even if == ignores it`(_ kind: EngineKind) async throws
  {
    let storage = TestStorage(kind)
    let watched = try await Watched(storage.open())
    let other = try await Store<Contact>(storage: storage.open())
    try await other.update("a") { $0.name = "new" }
    try await eventually("the other store's change is shown") {
      watched.store["a"]?.name == "new" && watched.one.count == 1 && watched.all.count == 1
    }
  }

  @Test func `a large change notifies observers of items with different bytes`() async throws {
    let store = try await Store<Contact>(storage: MemoryStorageEngine())
    var contacts = (0..<3_000).map { Contact(id: "\($0)", name: "old") }
    try await store.add(contacts)
    let all = ChangeCounter { store.items }
    let ones = (0..<3).map { number in ChangeCounter { store["\(number)"] } }
    try await store.add(contacts)
    #expect(all.count == 0)
    contacts[1].name = "new"
    try await store.add(contacts)
    #expect(all.count == 1)
    #expect(ones.map(\.count) == [0, 1, 0])
    contacts[2].name = "new"
    try await store.merge(contacts)
    #expect(all.count == 2)
    #expect(ones.map(\.count) == [0, 1, 1])
    #expect(store["2"]?.name == "new")
  }

  @Test func `equal bytes are neither written nor reported, even if == says different`()
    async throws
  {
    let engine = ObstinateEngine()
    let store = try await Store<Draft>(storage: engine)
    let selected = Draft(id: "a", text: "t", isSelected: true)
    try await store.add(Draft(id: "a", text: "t"))
    let all = ChangeCounter { store.items }
    let one = ChangeCounter { store["a"] }
    let count = await engine.commitCount
    try await store.update("a") { $0.isSelected = true }
    try await store.merge([selected])
    try await store.merge([selected]) { _, new in new }
    #expect(await engine.commitCount == count)
    try await store.add(selected)
    #expect(all.count == 0)
    #expect(one.count == 0)
  }

  // MARK: Values

  @Test func `fault 90: a stored value is written and observers notified, whatever == says`()
    async throws
  {
    let home = ValueHome()
    let value = home.value(Contact(id: "a"), registry: ValueRegistry())
    let changes = ChangeCounter { value.wrappedValue }
    var values = value.values.makeAsyncIterator()
    #expect(await values.next()?.name == "")
    value.set(Contact(id: "a", name: "new"))
    #expect(changes.count == 1)
    #expect(await values.next()?.name == "new")
    try await value.flush()
    #expect(home.value(Contact(id: "b"), registry: ValueRegistry()).wrappedValue.name == "new")
    value.update { $0.name = "newer" }
    #expect(changes.count == 2)
    value.set(Contact(id: "a", name: "newer"))
    #expect(changes.count == 2)
  }

  @Test(arguments: EngineKind.allCases)
  func `fault 90: a value in an engine is written, whatever == says`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let value = AsyncStoredValue(
      wrappedValue: Contact(id: "a"), key: "key", storage: try storage.open())
    try await value.valueHasLoaded()
    let changes = ChangeCounter { value.wrappedValue }
    try await value.set(Contact(id: "a", name: "new"))
    try await value.update { $0.name += "er" }
    try await value.set(Contact(id: "a", name: "newer"))
    #expect(changes.count == 2)
    let relaunched = AsyncStoredValue(
      wrappedValue: Contact(id: "b"), key: "key", storage: try storage.open())
    try await relaunched.valueHasLoaded()
    #expect(relaunched.wrappedValue.name == "newer")
  }

  @Test func `a value with equal bytes leaves the file alone`() async throws {
    let home = ValueHome()
    let value = home.value(Draft(id: "a"), registry: ValueRegistry())
    value.set(Draft(id: "a", text: "t"))
    try await value.flush()
    let former = try FileManager.default.attributesOfItem(atPath: home.file("key").path)
    value.set(Draft(id: "a", text: "t", isSelected: true))
    try await value.flush()
    let latter = try FileManager.default.attributesOfItem(atPath: home.file("key").path)
    #expect(
      former[.systemFileNumber] as? Int == latter[.systemFileNumber] as? Int,
      "a file that is written is another one")
  }
}
