import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

extension StoreEvent where Item == Note {
  fileprivate static var initialized: StoreEvent { StoreEvent(operation: .initialized, items: []) }
  fileprivate static func loaded(_ items: [Note]) -> StoreEvent {
    StoreEvent(operation: .loaded, items: items)
  }
  fileprivate static func insert(_ items: [Note]) -> StoreEvent {
    StoreEvent(operation: .insert, items: items)
  }
  fileprivate static func remove(_ items: [Note]) -> StoreEvent {
    StoreEvent(operation: .remove, items: items)
  }
}

/// Takes events one by one.
@MainActor
private final class EventReader {
  private let stream: AsyncStream<StoreEvent<Note>>

  init(_ store: Store<Note>) { stream = store.events }

  /// The next events, as many as are expected.
  func next(_ count: Int = 1) async throws -> [StoreEvent<Note>] {
    try await withDeadline { [stream] in
      var iterator = stream.makeAsyncIterator()
      var events: [StoreEvent<Note>] = []
      while events.count < count, let event = await iterator.next() { events.append(event) }
      return events
    }
  }
}

@MainActor
@Suite struct StoreEventTests {
  private let notes = Note.numbered(0..<4)

  @Test(arguments: EngineKind.allCases)
  func `a subscriber gets initialized, loaded, then each change`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(notes[0])
    let events = EventReader(store)
    try await store.add([notes[1], notes[2]])
    var changed = notes[0]
    changed.text = "changed"
    try await store.add(changed)
    try await store.remove([notes[2], notes[1]])
    try await store.removeAll()
    #expect(
      try await events.next(6) == [
        .initialized, .loaded([notes[0]]), .insert([notes[1], notes[2]]), .insert([changed]),
        .remove([notes[2], notes[1]]), .remove([changed]),
      ])
    let relaunched = try await Store<Note>(storage: storage.open())
    #expect(try await EventReader(relaunched).next(2) == [.initialized, .loaded([])])
  }

  @Test func `a subscriber from before the load gets loaded afterwards`()
    async throws
  {
    let engine = ObstinateEngine(holdsReads: true)
    for note in notes {
      try await engine.write(JSONEncoder().encode(note), key: CacheKey(verbatim: note.id))
    }
    func makeStore() -> Store<Note> { .loadingInBackground(storage: engine) }
    let store = makeStore()
    let events = EventReader(store)
    var values = store.values.makeAsyncIterator()
    #expect(try await events.next() == [.initialized])
    #expect(await values.next() == [])
    await engine.letReadsGo()
    #expect(try await events.next() == [.loaded(notes)])
    #expect(await values.next() == notes)
    try await store.remove(notes[0])
    #expect(try await events.next() == [.remove([notes[0]])])
  }

  @Test(arguments: EngineKind.allCases)
  func `every subscriber gets every event`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    let readers = (0..<3).map { _ in EventReader(store) }
    for note in notes { try await store.add(note) }
    for reader in readers {
      let events = try await reader.next(2 + notes.count)
      #expect(events.dropFirst(2) == notes.map { .insert([$0]) }[...])
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `adding nothing or the same, or removing absent items, notifies no observer`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add([notes[0], notes[1]])
    let events = EventReader(store)
    let values = ValueLog(store)
    try await values.expect([[notes[0], notes[1]]])
    try await store.add([])
    try await store.add(notes[0])
    try await store.remove(notes[3])
    try await store.remove([])
    try await store.removeAll().add([notes[0], notes[1]]).run()
    try await store.add(notes[2]).remove(notes[2]).run()
    try await store.remove(notes[1])
    #expect(
      try await events.next(3) == [
        .initialized, .loaded([notes[0], notes[1]]), .remove([notes[1]]),
      ])
    try await values.expect([[notes[0], notes[1]], [notes[0]]])
  }

  @Test(arguments: EngineKind.allCases)
  func `events of many items have only those that actually changed`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add([notes[0], notes[1]])
    let events = EventReader(store)
    try await store.add([notes[0], notes[2], notes[2]])
    // The event has the item as it was in the store, not as it was passed.
    try await store.remove([Note(id: notes[0].id, text: "other"), notes[3]])
    #expect(
      try await events.next(4).dropFirst(2) == [.insert([notes[2]]), .remove([notes[0]])][...])
  }

  @Test(arguments: EngineKind.allCases)
  func `the event of a chain has its net removals and insertions`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add([notes[0], notes[1]])
    let events = EventReader(store)
    let values = ValueLog(store)
    try await values.expect([[notes[0], notes[1]]])
    try await store.removeAll().add([notes[1], notes[2]]).add(notes[3]).remove(notes[3]).run()
    #expect(
      try await events.next(4).dropFirst(2) == [.remove([notes[0]]), .insert([notes[2]])][...])
    try await values.expect([[notes[0], notes[1]], [notes[1], notes[2]]])
    // Only the order: no event, but another array.
    try await store.remove(notes[1]).add(notes[1]).run()
    try await store.remove(notes[2])
    #expect(try await events.next() == [.remove([notes[2]])])
    try await eventually("the last array has come") { values.arrays.last == [notes[1]] }
  }

  @Test func `an operation that throws has no event`() async throws {
    let engine = ObstinateEngine()
    let store = try await Store<Note>(storage: engine)
    let events = EventReader(store)
    await engine.failWhenWriting(notes[0].id)
    await #expect(throws: OutOfOrder.self) { try await store.add(notes[0]) }
    try await store.add(notes[1])
    #expect(try await events.next(3).last == .insert([notes[1]]))
  }

  @Test func `unread events are bounded, and a reader left behind starts over`() async throws {
    for count in [10, 1_500] {
      var store: Store<Note>? = .previewStore(items: Note.numbered(0..<count))
      var expected = Note.numbered(0..<count)
      let (unread, begun) = (try #require(store?.events), try #require(store?.events))
      var iterator = begun.makeAsyncIterator()
      #expect(await iterator.next()?.operation == .initialized)
      for round in 0..<100 {
        for index in 0..<min(count, 200) { expected[index].text = "\(round)" }
        try await store?.add(Array(expected.prefix(200)))
        if round % 10 == 0 {
          try await store?.remove(expected[0])
          try await store?.add(expected[0])
          expected.append(expected.removeFirst())
        }
      }
      store = nil
      var events: [StoreEvent<Note>] = []
      for await event in unread { events.append(event) }
      #expect(events.first == .initialized)
      #expect(events.filter { $0.operation == .loaded }.count == 1)
      let held = events.reduce(0) { $0 + $1.items.count }
      #expect(held <= count + max(1_000, count) + 200)
      #expect(replay(events) == expected)
      var later: [StoreEvent<Note>] = []
      while let event = await iterator.next() { later.append(event) }
      #expect(replay(later) == expected)
    }
  }

  /// The items that a reader of these events ends with.
  private func replay(_ events: [StoreEvent<Note>]) -> [Note] {
    var items: [Note] = []
    for event in events {
      switch event.operation {
      case .initialized: break
      case .loaded: items = event.items
      case .insert:
        for item in event.items {
          if let index = items.firstIndex(where: { $0.id == item.id }) {
            items[index] = item
          } else {
            items.append(item)
          }
        }
      case .remove:
        let gone = Set(event.items.map(\.id))
        items.removeAll { gone.contains($0.id) }
      }
    }
    return items
  }

  @Test func `values skips arrays that were not read in time`() async throws {
    let store = Store<Note>.previewStore(items: [notes[0]])
    let values = store.values
    for note in notes[1...] { try await store.add(note) }
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == notes)
  }

  @Test func `a canceled or abandoned subscriber is removed`() async throws {
    let store = Store<Note>.previewStore(items: notes)
    let (events, values) = (store.events, store.values)
    var abandoned: AsyncStream<[Note]>? = store.values
    let visible = store.core.visible
    #expect(visible.eventSubscribers.subscriberCount == 1)
    #expect(visible.valueSubscribers.subscriberCount == 2)
    let tasks = [Task { for await _ in events {} }, Task { for await _ in values {} }]
    for task in tasks { task.cancel() }
    _ = abandoned
    abandoned = nil
    for task in tasks { await task.value }
    try await eventually("they are forgotten") { !visible.isSubscribed }
    try await store.removeAll()
  }
}

/// Collects every array that a store delivers.
@MainActor
private final class ValueLog {
  private(set) var arrays: [[Note]] = []
  private var task: Task<Void, Never>?

  init(_ store: Store<Note>) {
    let values = store.values
    task = Task { [weak self] in
      for await items in values { self?.arrays.append(items) }
    }
  }

  deinit { task?.cancel() }

  /// Waits until these arrays and no others have come.
  func expect(_ expected: [[Note]]) async throws {
    try await eventually("the arrays", seen: { "\(arrays)" }) { arrays.count >= expected.count }
    #expect(arrays == expected)
  }
}
