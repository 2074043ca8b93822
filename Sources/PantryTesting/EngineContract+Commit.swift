internal import Foundation
internal import Pantry

extension EngineContract {
  func checkCommitOrder(_ engine: any StorageEngine) async throws {
    let rows = rows(["a", "b", "c", "d"])
    try await engine.write(rows[0].data, key: rows[0].key)
    try await engine.commit([
      .write(rows[1].data, key: rows[1].key), .removeAll, .write(rows[2].data, key: rows[2].key),
      .write(rows[3].data, key: rows[3].key), .remove(key: rows[2].key),
      .write(rows[0].data, key: rows[0].key), .write(rows[2].data, key: rows[2].key),
    ])
    try await expect(engine, holds: [rows[3], rows[0], rows[2]])
  }

  /// Commits a new generation of five keys repeatedly, with concurrent reads.
  func checkWholeCommits(_ engine: any StorageEngine) async throws {
    let keys = scatteredKeys(5).map(key)
    @Sendable func generation(_ number: Int) -> [StorageChange] {
      // Removes and writes again, so that a partial commit shows in more than one way.
      [.removeAll] + keys.map { .write(Data("\(number)".utf8), key: $0) }
    }
    try await engine.commit(generation(0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 1...40 { try await engine.commit(generation(number)) }
      }
      for _ in 0..<2 {
        group.addTask {
          var seen = Set<Data>()
          while !seen.contains(Data("40".utf8)) {
            let all = try await engine.readAllData()
            try expect("the number of keys", all.count, is: keys.count)
            try expect("the number of generations read at once", Set(all).count, is: 1)
            seen.formUnion(all)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  func checkNewerRows(_ engine: any StorageEngine) async throws {
    let newer = (key: key("newer"), data: Data("{\"$pantryVersion\":9}".utf8))
    let objects = ObjectStorage<[String: Int]>(storage: engine, upgrades: [.data { $0 }])
    _ = try await objects.allObjects()
    try await engine.write(newer.data, key: newer.key)
    let changes: [() async throws -> Void] = [
      { try await objects.store([(key("new"), [:]), (newer.key, [:])]) },
      { try await objects.removeObject(forKey: newer.key) },
      { try await objects.removeAllObjects() },
    ]
    for change in changes {
      do {
        try await change()
      } catch is StorageError {
        try await expect(engine, holds: [newer])
        continue
      }
      throw BrokenPromise(promise: self, detail: "the row was replaced.")
    }
  }

  func checkFailedCommits(_ subject: EngineUnderTest, _ place: URL) async throws {
    let engine = try await subject.open(place)
    let rows = rows(["a", "b", "c"])
    let refused = key("refused")
    try await engine.write(rows)
    try await subject.refuse?(place, refused)
    do {
      try await engine.commit([
        .remove(key: rows[0].key), .removeAll, .write(Data("x".utf8), key: rows[1].key),
        .write(Data("x".utf8), key: key("new")), .write(Data("x".utf8), key: refused),
      ])
    } catch {
      try await expect(engine, holds: rows)
      // The engine still works.
      try await engine.write(rows[0].data, key: key("d"))
      return try await expect(engine, holds: rows + [(key: key("d"), data: rows[0].data)])
    }
    throw BrokenPromise(promise: self, detail: "the commit did not fail.")
  }
}
