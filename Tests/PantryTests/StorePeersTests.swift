import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Several stores on one engine.
@MainActor
@Suite struct StorePeersTests {
  let storage = TestStorage(.sqlite)

  @Test(arguments: EngineKind.allCases)
  func `what one store does, the others on its engine show at once`(_ kind: EngineKind) async throws
  {
    let engine = try TestStorage(kind).open()
    let first = try await Store<Note>(storage: engine)
    let second = try await Store<Note>(storage: engine)
    let changes = ChangeCounter { second.items }
    try await first.add(Note.numbered(0..<3))
    #expect(second.items == first.items)
    #expect(changes.count == 1)
    try await second.remove(second.items[1])
    #expect(first.items == second.items)
    try await first.removeAll().add(Note(id: "x")).run()
    #expect(second.items == [Note(id: "x")])
    let relaunched = try await Store<Note>(storage: engine)
    #expect(relaunched.items == first.items)
  }

  @Test func `operations of many stores end in one truth, which is the disk's`() async throws {
    let engine = try storage.open()
    var stores: [Store<Note>] = []
    for _ in 0..<4 { stores.append(try await Store<Note>(storage: engine)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          for round in 0..<50 {
            try await store.add(Note(id: "\(round)", text: "by \(number)"))
            if round % 7 == number { try await store.remove(Note(id: "\(round - 1)")) }
          }
        }
      }
      try await group.waitForAll()
    }
    let relaunched = try await Store<Note>(storage: engine)
    for store in stores { #expect(store.items == relaunched.items) }
  }

  @Test func `a store that is still loading misses nothing`() async throws {
    let engine = ObstinateEngine()
    let first = try await Store<Note>(storage: engine)
    try await first.add(Note.numbered(0..<2))
    await engine.holdReads()
    func makeStore() -> Store<Note> { Store<Note>(storage: engine) }
    let second = makeStore()
    let moved = first.items[0]
    try await first.add(Note(id: "new"))
    try await first.remove(moved)
    try await first.add(moved)
    try await first.add(Note(id: "newer"))
    #expect(second.items.isEmpty)
    await engine.letReadsGo()
    try await second.itemsHaveLoaded()
    #expect(second.items == first.items)
  }

  @Test func `stores that tell items apart otherwise, or on other engines, go their own way`()
    async throws
  {
    let engine = try storage.open()
    let byID = try await Store<Note>(storage: engine)
    let other = try await Store<Note>(storage: MemoryStorageEngine())
    try await byID.add(Note(id: "a", text: "t"))
    #expect(other.items.isEmpty)
  }

  @Test func `a store that has gone is forgotten`() async throws {
    let engine = try storage.open()
    let first = try await Store<Note>(storage: engine)
    weak var gone: Store<Note>?
    do {
      let second = try await Store<Note>(storage: engine)
      try await second.add(Note(id: "a"))
      gone = second
    }
    try await eventually("the second store is freed") { gone == nil }
    try await first.add(Note(id: "b"))
    #expect(first.items.count == 2)
  }
}
