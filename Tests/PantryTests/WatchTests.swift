import Foundation
import SystemSupport
import Observation
import PandaTestSupport
import Testing

@testable import Pantry

/// Takes every value of a sequence, as a screen does.
@MainActor
private final class WatchLog<Value: Equatable & Sendable> {
  private(set) var values: [Value] = []
  private(set) var hasEnded = false
  let task: Task<Void, Never>

  init(_ watch: Watch<Value>) {
    weak var log: WatchLog?
    let begin = AsyncStream<Void>.makeStream()
    task = Task {
      for await _ in begin.stream {}
      for await value in watch { log?.values.append(value) }
      log?.hasEnded = true
    }
    log = self
    begin.continuation.finish()
  }

  deinit { task.cancel() }

  /// Waits until the newest value is this one.
  func reaches(_ value: Value) async throws {
    try await eventually("\(value)", seen: { "\(values)" }) { values.last == value }
  }
}

@MainActor @Observable
private final class Counter {
  var count = 0
}

@MainActor
@Suite struct WatchTests {
  private let notes = Note.numbered(0..<4)

  @Test(arguments: EngineKind.allCases)
  func `the item now comes first, then the newest after each change`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(notes)
    var watch = store.watch(notes[1].id).makeAsyncIterator()
    #expect(await watch.next() == notes[1])
    let changed = Note(id: notes[1].id, text: "changed")
    try await store.add(Note(id: notes[1].id, text: "skipped"))
    try await store.add(changed)
    #expect(await watch.next() == changed)
    try await store.remove(changed)
    #expect(await watch.next() == .some(nil))
    try await store.add(notes[1])
    #expect(await watch.next() == notes[1])
    // Another iterator starts over.
    var other = store.watch([notes[3].id, "absent", notes[1].id]).makeAsyncIterator()
    #expect(await other.next() == [notes[3], notes[1]])
  }

  @Test func `equal values, and changes of other items, are no values`() async throws {
    let store = Store<Note>.previewStore(items: notes)
    let reads = Lock(0)
    let log = WatchLog(
      Watch {
        reads.withLock { $0 += 1 }
        return store[notes[0].id]?.text.count
      })
    try await log.reaches(2)
    // Twice if another thread has changed something, such as a value of another test.
    let count = reads.withLock(\.self)
    try await store.add(Note(id: notes[1].id, text: "other"))
    try await store.removeAll().add(notes).run()
    try await store.merge(notes)
    #expect(reads.withLock(\.self) == count)
    // It is asked only if the item is different, and this is equal again.
    try await store.add(Note(id: notes[0].id, text: "N0"))
    try await store.add(Note(id: notes[0].id, text: "longer"))
    try await log.reaches(6)
    #expect(log.values == [2, 6])
  }

  @Test func `the first value comes when the store has loaded`() async throws {
    let engine = ObstinateEngine(holdsReads: true)
    try await engine.write(JSONEncoder().encode(notes[0]), key: CacheKey(verbatim: notes[0].id))
    func makeStore() -> Store<Note> { .loadingInBackground(storage: engine) }
    let store = makeStore()
    let item = WatchLog(store.watch(notes[0].id))
    let absent = WatchLog(store.watch("absent"))
    let list = WatchLog(store.watch([notes[0].id, "absent"]))
    let now = WatchLog(Watch { store[notes[0].id] })
    try await now.reaches(Note?.none)
    #expect(item.values.isEmpty && absent.values.isEmpty && list.values.isEmpty)
    await engine.letReadsGo()
    try await item.reaches(notes[0])
    try await absent.reaches(Note?.none)
    try await list.reaches([notes[0]])
    try await now.reaches(notes[0])
    #expect(item.values == [notes[0]])
    #expect(absent.values == [nil])
    #expect(list.values == [[notes[0]]])
  }

  @Test func `a closure depends on everything it reads, in several stores`() async throws {
    struct Author: Codable, Equatable, Identifiable, Sendable {
      var id: String
      var name: String
    }
    let store = Store<Note>.previewStore(items: [
      Note(id: "1", text: "a"), Note(id: "2", text: "b"),
    ])
    let authors = Store<Author>.previewStore(items: [Author(id: "a", name: "Ada")])
    let list = KeyList(["1", "2"])
    let log = WatchLog(
      Watch { store[list].map { authors[$0.text]?.name ?? "nobody" } })
    try await log.reaches(["Ada", "nobody"])
    try await authors.add(Author(id: "b", name: "Bo"))
    try await log.reaches(["Ada", "Bo"])
    try await store.update("1") { $0.text = "b" }
    try await log.reaches(["Bo", "Bo"])
    try await list.remove("1")
    try await log.reaches(["Bo"])
    try await authors.update("a") { $0.name = "nobody asks" }
    try await authors.update("b") { $0.name = "Bob" }
    try await log.reaches(["Bob"])
    #expect(log.values == [["Ada", "nobody"], ["Ada", "Bo"], ["Bo", "Bo"], ["Bo"], ["Bob"]])
  }

  @Test func `no change between two values is lost`() async throws {
    let store = Store<Note>.previewStore(items: [Note(id: "a", text: "0")])
    let logs = (0..<4).map { _ in WatchLog(store.watch("a")) }
    for number in 1...300 {
      try await store.add(Note(id: "a", text: "\(number)"))
      if number.isMultiple(of: 3) { await Task.yield() }
    }
    for log in logs {
      try await log.reaches(Note(id: "a", text: "300"))
      let numbers = log.values.compactMap { Int($0?.text ?? "") }
      #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    }
  }

  @Test func `a change from another thread is not lost`() async throws {
    let home = TemporaryDirectory()
    let value = StoredValue(
      wrappedValue: 0, key: "number", directory: StorageDirectory(url: home.url))
    let log = WatchLog(Watch { value.wrappedValue })
    for round in 1...20 {
      await Task.detached {
        for number in 1...100 { value.set(round * 1_000 + number) }
      }.value
      try await log.reaches(round * 1_000 + 100)
    }
  }

  @Test func `a change just before the cancellation is not delivered`() async throws {
    let counter = Counter()
    let log = WatchLog(Watch { counter.count })
    try await log.reaches(0)
    // The reader is resumed by the change, and canceled before it runs.
    counter.count = 1
    log.task.cancel()
    await log.task.value
    #expect(log.hasEnded)
    #expect(log.values == [0])
  }

  @Test func `cancellation ends it, whether it is waiting or not`() async throws {
    let store = Store<Note>.previewStore(items: notes)
    let log = WatchLog(store.watch(notes[0].id))
    try await log.reaches(notes[0])
    log.task.cancel()
    await log.task.value
    #expect(log.hasEnded)
    let watch = store.watch(notes[0].id)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for await _ in watch { Issue.record("It is canceled.") }
    }
    await task.value
    // Also while the store loads.
    let engine = ObstinateEngine(holdsReads: true)
    func makeStore() -> Store<Note> { .loadingInBackground(storage: engine) }
    let loading = makeStore()
    let waiting = WatchLog(loading.watch("a"))
    await Task.yield()
    waiting.task.cancel()
    await waiting.task.value
    #expect(waiting.values.isEmpty)
    await engine.letReadsGo()
  }

  @Test func `watched objects are released when watching ends`() async throws {
    final class Thing: Sendable {}
    weak var thing: Thing?
    weak var core: StoreCore<Note>?
    do {
      let store = Store<Note>.previewStore(items: notes)
      let seen = Thing()
      (thing, core) = (seen, store.core)
      let log = WatchLog(
        Watch { [seen] in
          withExtendedLifetime(seen) { store[notes[0].id] }
        })
      try await log.reaches(notes[0])
      log.task.cancel()
      await log.task.value
    }
    try await eventually("they are released") { thing == nil && core == nil }
  }

  @Test func `a task of any actor can read it`() async throws {
    let store = Store<Note>.previewStore(items: notes)
    let watch = store.watch(notes[0].id)
    let task = Task.detached {
      var texts: [String] = []
      for await note in watch {
        texts.append(note?.text ?? "")
        if texts.count == 2 { break }
        try await store.update("0-0") { $0.text = "second" }
      }
      return texts
    }
    #expect(try await task.value == ["n0", "second"])
  }
}
