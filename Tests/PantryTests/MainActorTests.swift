import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// An item whose coding waits until the main actor has done something else.
///
/// Were it coded on the main actor, that would never happen.
private struct SlowItem: Codable, Equatable, Identifiable, Sendable {
  struct MainActorWasBlocked: Error {}

  let id: String

  init(id: String) { self.id = id }

  init(from decoder: any Decoder) throws {
    id = try decoder.singleValueContainer().decode(String.self)
    try Self.waitForMainActor()
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
    try Self.waitForMainActor()
  }

  private static func waitForMainActor() throws {
    let turn = DispatchSemaphore(value: 0)
    Task { @MainActor in turn.signal() }
    guard turn.wait(timeout: .now() + 60) == .success else { throw MainActorWasBlocked() }
  }
}

/// Whether the commit of an optimistic change has begun.
@MainActor
private final class Commit {
  var hasBegun = false
}

@MainActor
@Suite struct MainActorTests {
  let directory = TemporaryDirectory()

  @Test func `JSON is encoded and decoded without blocking the main actor`() async throws {
    let store = try await Store<SlowItem>(storage: directory.engine("SlowItem"))
    try await store.add([SlowItem(id: "a"), SlowItem(id: "b")])
    let relaunched = try await Store<SlowItem>(storage: directory.engine("SlowItem"))
    #expect(relaunched.items.map(\.id) == ["a", "b"])
    #expect(relaunched.loadIssues.isEmpty)
  }

  @Test func `the disk is written without blocking the main actor`() async throws {
    let store = try await Store<Note>(storage: directory.engine())
    let other = try directory.database()
    // The write gives up after 5 seconds, which a loaded machine may take to come back here: then
    // it is tried again. Written on the main actor it would give up each time.
    for attempt in 1... {
      // Another connection holds the lock, and gives it back here, while the write waits for it.
      try other.execute("BEGIN IMMEDIATE")
      let adding = Task { try await store.add(Note(id: "a")) }
      await Task.yield()
      #expect(store.items.isEmpty)
      try other.execute("COMMIT")
      do {
        try await adding.value
        break
      } catch let error as SQLiteError where error.kind == .busy && attempt < 5 {
        continue
      }
    }
    #expect(store.items == [Note(id: "a")])
  }

  @Test func `a large optimistic change lets the main actor run`() async throws {
    let store = try await Store<Note>(storage: MemoryStorageEngine())
    let notes = Note.numbered(0..<10_000)
    try await store.add(Array(notes.dropLast(5_000)))
    let operations: [@MainActor () async -> Store<Note>.Operation] = [
      { await store.add(notes.map { Note(id: $0.id, text: "new") }) },
      { await store.merge(notes.map { Note(id: $0.id, text: "merged") }) { $1 } },
      { await store.remove(Array(notes.dropFirst(100))) }, { await store.removeAll().add(notes) },
    ]
    for make in operations {
      let operation = await make()
      let commit = Commit()
      async let change: Void = store.optimistically(operation) { commit.hasBegun = true }
      var turns = 0
      while !commit.hasBegun {
        turns += 1
        await Task.yield()
      }
      // Each of its slices gives way to this loop.
      #expect(turns > 10)
      try await change
    }
    #expect(store.items == notes)
  }

  @Test func `an add does not copy the existing items`() async throws {
    let store = try await Store<Note>(storage: MemoryStorageEngine())
    var place: UnsafeRawPointer?
    var moves = 0
    for note in Note.numbered(0..<2_000) {
      try await store.add(note)
      store.items.withUnsafeBytes { bytes in
        if bytes.baseAddress != place { moves += 1 }
        place = bytes.baseAddress
      }
    }
    // The array moves when it doubles, 11 times for 2,000 items; a copy for each add would be
    // 2,000.
    #expect(moves <= 16)
  }
}
