import Foundation
import PandaTestSupport
import Synchronization
import Testing

@testable import Pantry

/// An item whose comparison waits, on request, until the main actor has done other work.
private struct SlowlyCompared: Codable, Equatable, Identifiable, Sendable {
  static let isSlow = Atomic(false)
  static let hasBlocked = Atomic(false)

  let id: String

  static func == (one: SlowlyCompared, other: SlowlyCompared) -> Bool {
    if isSlow.load(ordering: .relaxed), !hasBlocked.load(ordering: .relaxed) {
      let turn = DispatchSemaphore(value: 0)
      Task { @MainActor in turn.signal() }
      if turn.wait(timeout: .now() + 60) == .timedOut {
        hasBlocked.store(true, ordering: .relaxed)
      }
    }
    return one.id == other.id
  }
}

/// Changes of so many items that they are made off the main actor.
@MainActor
@Suite struct LargeChangeTests {
  private let notes = Note.numbered(0..<3_000)

  private func edited(_ notes: some Sequence<Note>) -> [Note] {
    notes.map { Note(id: $0.id, text: $0.text + "!") }
  }

  @Test func `items are compared without blocking the main actor`() async throws {
    let items = (0..<2_000).map { SlowlyCompared(id: "\($0)") }
    let store = try await Store<SlowlyCompared>(storage: MemoryStorageEngine())
    try await store.add(items)
    SlowlyCompared.isSlow.store(true, ordering: .relaxed)
    try await store.add(items)
    SlowlyCompared.isSlow.store(false, ordering: .relaxed)
    let hasBlocked = SlowlyCompared.hasBlocked.load(ordering: .relaxed)
    #expect(!hasBlocked)
    #expect(store.items == items)
  }

  @Test func `a merge does not block the main actor between its rows`() async throws {
    let store = try await Store<Note>(storage: MemoryStorageEngine())
    try await store.add(notes)
    var turn: Task<Void, Never>?
    var hadTurn = false
    var mergedAfterTurn = false
    try await store.merge(edited(notes)) { _, new in
      if turn == nil { turn = Task { hadTurn = true } }
      if hadTurn { mergedAfterTurn = true }
      return new
    }
    await turn?.value
    #expect(mergedAfterTurn)
    #expect(store.items == edited(notes))
  }

  @Test(arguments: EngineKind.allCases)
  func `large changes behave like small ones`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    var events = store.events.makeAsyncIterator()
    let kept = ChangeCounter { store[notes[0].id] }
    let changed = ChangeCounter { store[notes[2_000].id] }
    let changes = ChangeCounter { store.items }
    try await store.add(notes)
    #expect(store.items == notes)
    // Read at once: a reader that falls behind gets all items instead.
    var seen = [await events.next(), await events.next(), await events.next()]
    try await store.add(notes)
    #expect((kept.count, changed.count, changes.count) == (1, 1, 1))
    try await store.merge(edited(notes[1_500...]) + notes[..<1_500], removing: [])
    seen.append(await events.next())
    #expect(store.items == notes[..<1_500] + edited(notes[1_500...]))
    #expect((kept.count, changed.count, changes.count) == (1, 2, 2))
    try await store.remove(Array(notes[500..<1_800]))
    seen.append(await events.next())
    let left = notes[..<500] + edited(notes[1_800...])
    #expect(store.items == Array(left))
    #expect(try await Store<Note>(storage: storage.open()).items == Array(left))
    try await store.removeAll().add(Array(left.reversed())).run()
    #expect(store.items == left.reversed())
    try await store.removeAll()
    #expect(store.items.isEmpty && kept.latest == nil)
    #expect((kept.count, changed.count, changes.count) == (2, 3, 5))
    seen.append(await events.next())
    #expect(
      seen.map { $0?.operation } == [.initialized, .loaded, .insert, .insert, .remove, .remove])
    #expect(seen.map { $0?.items.count } == [0, 0, 3_000, 1_500, 1_300, 1_700])
  }

  @Test(arguments: [EngineKind.sqlite, .memory])
  func `an optimistic change during a large change survives it`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(Array(notes[..<2_000]))
    for round in 0..<Torture.rounds(3, orTorture: 8) {
      let text = "shown \(round)"
      let adding = Task { try await store.add(edited(notes[1_000...])) }
      // Wherever the addition is then.
      for _ in 0..<round * 3 { await Task.yield() }
      let commit = HeldCommit()
      let change: Store<Note>.Operation = await store.update(notes[10].id) { $0.text = text }
      let showing = Task { try await store.optimistically(change, commit: commit.run) }
      try await eventually("it is shown") { commit.hasBegun }
      #expect(store[notes[10].id]?.text == text)
      try await adding.value
      #expect(store[notes[10].id]?.text == text)
      #expect(store[notes[2_500].id] == edited(notes[2_500...2_500])[0])
      commit.succeed()
      try await showing.value
      let disk = try await Store<Note>(storage: storage.open()).items
      #expect(disk == store.items)
      #expect(store[notes[10].id]?.text == text)
      try await store.remove(Array(edited(notes[1_500...])))
    }
  }

  @Test(arguments: EngineKind.live)
  func `a store follows a large change of another`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let one = try await Store<Note>(storage: storage.open())
    let other = try await Store<Note>(storage: storage.open())
    try await one.add(notes)
    try await eventually("the notes") { other.items == notes }
    try await one.remove(Array(notes[100...]))
    try await eventually("the removal") { other.items == Array(notes[..<100]) }
  }

  @Test func `the first additions after a load do not copy the existing items`() async throws {
    let engine = MemoryStorageEngine()
    do {
      try await Store<Note>(storage: engine).add(Note.numbered(0..<12_000))
    }
    let store = try await Store<Note>(storage: ReopenedEngine(engine))
    func place() -> UnsafeRawPointer? { store.items.withUnsafeBytes { $0.baseAddress } }
    let first = place()
    for note in Note.numbered(12_000..<12_100) { try await store.add(note) }
    #expect(place() == first)
    #expect(store.items.count == 12_100)
  }
}
