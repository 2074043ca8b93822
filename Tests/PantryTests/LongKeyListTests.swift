import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Lists of so many identifiers that they are in pages.
@MainActor
@Suite struct LongKeyListTests {
  private let ids = (0..<3_000).map { "id-\($0)" }

  private func list(_ storage: TestStorage) async throws -> KeyList {
    try await KeyList(named: "list", storage: storage.open())
  }

  @Test(arguments: EngineKind.allCases)
  func `changes anywhere have the same result as on an array`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let list = try await list(storage)
    var expected: [String] = []
    var random = SplitMix64(seed: 7)
    func insert(_ new: [String], at index: Int) {
      let before = expected[..<min(index, expected.count)].filter { !new.contains($0) }
      let after = expected[min(index, expected.count)...].filter { !new.contains($0) }
      expected = before + new + after
    }
    try await list.append(ids)
    expected = ids
    for step in 0..<(kind == .memory ? 120 : Torture.rounds(30, orTorture: 120)) {
      let index = Int.random(in: 0...expected.count, using: &random)
      let some = ids.randomElement(using: &random) ?? ""
      switch step % 6 {
      case 0:
        let new = (0..<90).map { "new-\(step)-\($0)" } + [some]
        try await list.insert(new, at: index)
        insert(new, at: index)
      case 1:
        try await list.move(some, to: index)
        if let old = expected.firstIndex(of: some) {
          expected.remove(at: old)
          expected.insert(some, at: min(index, expected.count))
        }
      case 2:
        let gone = Array(expected.shuffled(using: &random).prefix(150))
        try await list.remove(gone)
        expected.removeAll(where: Set(gone).contains)
      case 3:
        try await list.prepend(some)
        insert([some], at: 0)
      case 4:
        try await list.append([some, "end-\(step)"])
        for id in [some, "end-\(step)"] where !expected.contains(id) { expected.append(id) }
      default:
        let start = min(index, expected.count)
        let gone = Array(expected[start..<min(start + 400, expected.count)])
        try await list.remove(gone)
        expected.removeSubrange(start..<start + gone.count)
      }
      #expect(list.contains(some) == expected.contains(some))
      #expect(list.count == expected.count)
      // Not each time: the joined list is updated, or joined again.
      if step % 3 == 0 { #expect(list.ids == expected) }
    }
    #expect(list.ids == expected)
    #expect(try await self.list(storage).ids == expected)
    // An emptied list has one row again.
    try await list.removeAll()
    try await list.replaceAll(with: ["b", "a"])
    #expect(list.ids == ["b", "a"])
    #expect(try await storage.open().allKeys().map(\.rawValue) == ["list"])
  }

  @Test(arguments: EngineKind.allCases)
  func `a list of one row is migrated`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    do {
      let engine = try storage.open()
      for (name, ids) in [("list", ids), ("short", ["a", "b"])] {
        let row = try JSONSerialization.data(withJSONObject: ["name": name, "ids": ids])
        try await engine.write(row, key: CacheKey(verbatim: name))
      }
    }
    let list = try await list(storage)
    #expect(list.ids == ids)
    try await list.insert("new", at: 1)
    #expect(list.ids == ["id-0", "new"] + ids[1...])
    #expect(try await self.list(storage).ids == list.ids)
    #expect(try await KeyList(named: "short", storage: storage.open()).ids == ["a", "b"])
  }

  @Test func `a program that does not know pages does not overwrite them`() async throws {
    let storage = TestStorage(.sqlite)
    try await list(storage).append(ids)
    let old = try await nextLaunch {
      try await Store<OldList>(
        storage: storage.open(), cacheIdentifier: \.name, formerNames: ["Pantry.KeyListRow"])
    }
    await #expect(throws: StorageError.self) {
      try await old.add(OldList(name: "list", ids: ["a"]))
    }
  }

  private struct OldList: Codable, Equatable, Sendable {
    var name: String
    var ids: [String]
  }

  @Test(arguments: EngineKind.allCases)
  func `a change writes the changed page only`(_ kind: EngineKind) async throws {
    let clock = TestClock()
    let storage = TestStorage(kind) { clock.now }
    let engine = try storage.open()
    let list = try await KeyList(named: "list", storage: engine)
    try await list.append(ids)
    clock.advance()
    try await list.insert("new", at: 1_500)
    var written = 0
    for key in try await engine.allKeys() {
      if try await engine.updatedAt(key: key) == clock.now { written += 1 }
    }
    #expect(written == 2)
  }

  @Test(arguments: EngineKind.live)
  func `long lists of two engines follow each other`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let (one, other) = (try await list(storage), try await list(storage))
    try await one.append(ids)
    let changes = ChangeCounter { other.count }
    try await one.insert("new", at: 1_500)
    try await one.move("id-0", to: 2_000)
    try await eventually("the other follows") { other.ids == one.ids }
    try await eventually("the other list notifies") { changes.latest == 3_001 }
    try await other.remove(Array(ids[500..<2_500]))
    try await eventually("the first follows") { one.ids == other.ids }
    #expect(one.count == 1_001)
  }

  @Test func `an unreadable page hides no others, and stays`() async throws {
    let engine = MemoryStorageEngine()
    do {
      try await KeyList(named: "list", storage: engine).append(ids)
    }
    let other = ReopenedEngine(engine)
    let page = try #require(await engine.allKeys().dropFirst(2).first)
    await engine.write(Data("no JSON".utf8), key: page)
    let list = try await KeyList(named: "list", storage: other)
    #expect(list.loadIssue != nil)
    #expect(list.count > 2_000 && list.count < 3_000)
    try await list.append("new")
    try await list.prepend("first")
    #expect(list.ids.first == "first" && list.ids.last == "new")
    #expect(await engine.read(key: page) == Data("no JSON".utf8))
  }
}
