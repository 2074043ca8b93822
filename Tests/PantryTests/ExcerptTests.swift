import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@MainActor
@Suite struct ExcerptTests {
  private let directory = TemporaryDirectory()
  private let notes = Note.numbered(0..<100)

  /// A store on a file with `notes`, whose load waits, and its engine.
  private func makeStore(
    limit: Int = 5, hasNoExcerpt: Bool = false,
    prepare: (SQLiteStorageEngine) async throws -> Void = { _ in }
  ) async throws -> (store: Store<Note>, engine: ExcerptEngine) {
    let sqlite = try directory.engine()
    try await Store<Note>(storage: sqlite).add(notes)
    try await prepare(sqlite)
    let engine = try ExcerptEngine(directory.engine(), hasNoExcerpt: hasNoExcerpt)
    return (Store<Note>.loadingInBackground(storage: engine, excerptLimit: limit), engine)
  }

  @Test func `a failed load answers those who came before it began, and later ones ask again`()
    async throws
  {
    let (store, engine) = try await makeStore(limit: 0)
    let early = Task.immediate { try await store.itemsHaveLoaded() }
    try await eventually("the load has begun") { await engine.hasReaders }
    let later = Task.immediate { try await store.itemsHaveLoaded() }
    await engine.letReadsGo(OutOfOrder())
    await #expect(throws: OutOfOrder.self) { try await early.value }
    await engine.letReadsGo()
    try await later.value
    #expect(store.items == notes)
  }

  @Test func `the newest items and the count are available before the items`() async throws {
    let (store, engine) = try await makeStore()
    #expect(store.excerpt == nil)
    try await store.excerptHasLoaded()
    #expect(store.excerpt == StoreExcerpt(items: notes.suffix(5), count: 100))
    #expect(store.items.isEmpty)
    #expect(!store.hasLoaded)
    await engine.letReadsGo()
    try await store.itemsHaveLoaded()
    #expect(store.excerpt == nil)
    #expect(store.items == notes)
    try await store.excerptHasLoaded()
  }

  @Test(arguments: [false, true])
  func `the full list loads after the excerpt, on one core or on all cores`(_ leavesCoresFree: Bool)
    async throws
  {
    let many = Note.numbered(0..<17_000)
    try await Store<Note>(storage: directory.engine()).add(many)
    let store = try Store<Note>.loadingInBackground(storage: directory.engine(), excerptLimit: 5)
    store.leavesCoresFree = leavesCoresFree
    try await store.excerptHasLoaded()
    #expect(store.excerpt == StoreExcerpt(items: many.suffix(5), count: 17_000))
    try await store.itemsHaveLoaded()
    #expect(store.items == many)
  }

  @Test func `observers are notified of the excerpt and of its end, never of both at once`()
    async throws
  {
    let (store, engine) = try await makeStore()
    var seen: [[Int]] = []
    let excerpts = ChangeCounter { store.excerpt }
    let items = ChangeCounter {
      seen.append([store.excerpt?.count ?? 0, store.items.count])
      return store.items.count
    }
    try await store.excerptHasLoaded()
    #expect(excerpts.count == 1)
    await engine.letReadsGo()
    try await store.itemsHaveLoaded()
    #expect(excerpts.count == 2)
    #expect(items.latest == 100)
    #expect(seen.allSatisfy { $0[0] == 0 || $0[1] == 0 })
  }

  @Test func `the excerpt does not notify observers of the items`() async throws {
    let (store, engine) = try await makeStore()
    let changes = ChangeCounter { store.items }
    try await store.excerptHasLoaded()
    #expect(changes.count == 0)
    await engine.letReadsGo()
    try await store.itemsHaveLoaded()
    #expect(changes.count == 1)
  }

  @Test func `operations called meanwhile wait for the items and leave the excerpt unchanged`()
    async throws
  {
    let (store, engine) = try await makeStore()
    let operations = [
      Task { try await store.remove(notes[99]) }, Task { try await store.add(Note(id: "new")) },
    ]
    try await store.excerptHasLoaded()
    #expect(store.excerpt?.items == notes.suffix(5))
    await engine.letReadsGo()
    for operation in operations { try await operation.value }
    #expect(store.excerpt == nil)
    #expect(store.items == notes[..<99] + [Note(id: "new")])
  }

  @Test func `an excerpt may be short, and skips undecodable rows and other namespaces`()
    async throws
  {
    let (store, _) = try await makeStore(limit: 3) { engine in
      let other = try directory.engine("Other")
      try await Store<Note>(storage: other).add(Note.numbered(0..<9))
      var changed = notes[98]
      changed.text = "changed"
      try await Store<Note>(storage: engine).removeAll().add([notes[1], changed]).run()
      try await engine.write(Data("no JSON".utf8), key: CacheKey(verbatim: "bad"))
      try await Store<Note>(storage: other).add(Note(id: "newest"))
    }
    try await store.excerptHasLoaded()
    #expect(store.excerpt?.items.map(\.text) == ["n1", "changed"])
    #expect(store.excerpt?.count == 3)
  }

  @Test func `a store with an excerpt loads the same items and issues as one without`()
    async throws
  {
    let engine = try directory.engine()
    let plain = try await Store<Note>(storage: engine)
    let whole = Note.numbered(0..<1_000)
    try await plain.add(whole)
    for number in [0, 127, 128, 500, 999] {
      let key = CacheKey(verbatim: whole[number].id)
      try await engine.write(Data("{\"id\": \(number)}".utf8), key: key)
    }
    let expected = try await Store<Note>(storage: directory.engine())
    let store = Store<Note>.loadingInBackground(storage: try directory.engine(), excerptLimit: 10)
    try await store.excerptHasLoaded()
    #expect(store.excerpt?.count ?? 1_000 == 1_000)
    try await store.itemsHaveLoaded()
    #expect(store.items.count == 995)
    #expect(store.items == expected.items)
    #expect(store.loadIssues == expected.loadIssues)
    try await store.add(Note(id: whole[127].id, text: "mended"))
    #expect(store.items[126].text == "mended")
  }

  @Test func `an empty file has an empty excerpt`() async throws {
    let engine = try ExcerptEngine(directory.engine())
    let store = Store<Note>.loadingInBackground(storage: engine, excerptLimit: 5)
    try await store.excerptHasLoaded()
    #expect(store.excerpt == StoreExcerpt(items: [], count: 0))
  }

  @Test(arguments: EngineKind.allCases)
  func `without an excerpt, waiting for it waits for the items`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    try await Store<Note>(storage: storage.open()).add(notes)
    for limit in kind == .sqlite ? [0] : [0, 5] {
      let store = try Store<Note>.loadingInBackground(storage: storage.open(), excerptLimit: limit)
      var seen: [StoreExcerpt<Note>] = []
      let changes = ChangeCounter { seen += [store.excerpt].compactMap(\.self) }
      try await store.excerptHasLoaded()
      #expect(store.items == notes)
      #expect(seen.isEmpty)
      withExtendedLifetime(changes) {}
    }
  }

  @Test func `an unreadable excerpt does not prevent loading the items`() async throws {
    let (store, engine) = try await makeStore(hasNoExcerpt: true)
    await engine.letReadsGo()
    try await store.excerptHasLoaded()
    #expect(store.excerpt == nil)
    #expect(store.items == notes)
  }

  @Test func `a failed load leaves the excerpt, until the next load has the items`()
    async throws
  {
    let (store, engine) = try await makeStore()
    try await store.excerptHasLoaded()
    await engine.letReadsGo(OutOfOrder())
    await #expect(throws: OutOfOrder.self) { try await store.itemsHaveLoaded() }
    #expect(store.excerpt?.count == 100)
    try await store.excerptHasLoaded()
    #expect(store.excerpt?.count == 100)
    await engine.letReadsGo()
    try await store.add(Note(id: "new"))
    #expect(store.items.count == 101)
    #expect(store.excerpt == nil)
  }

  @Test func `the table finds the newest rows without sorting or skipping rows`()
    async throws
  {
    let engine = try directory.engine()
    try await Store<Note>(storage: engine).add(notes)
    let plan = try directory.database().statement(
      """
      EXPLAIN QUERY PLAN
      SELECT key, data, id FROM item WHERE id > ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3
      """)
    #expect(try plan.step())
    #expect(plan.text(3) == "SEARCH item USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)")
    #expect(try !plan.step())
  }
}
