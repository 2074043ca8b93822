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
      } catch let error as SQLiteError where error.code == .busy && attempt < 5 {
        continue
      }
    }
    #expect(store.items == [Note(id: "a")])
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
