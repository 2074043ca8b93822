internal import Foundation
internal import Pantry

extension EngineContract {
  /// Two engines at one place, and a follower of the first.
  private func pair(
    _ subject: EngineUnderTest, _ place: URL, holding held: [Row]
  ) async throws -> (reader: LiveReader, other: any StorageEngine) {
    let other = try await subject.open(place)
    try await other.write(held)
    return (try await reader(subject, place), other)
  }

  private func reader(_ subject: EngineUnderTest, _ place: URL) async throws -> LiveReader {
    try await LiveReader(subject.open(place))
  }

  private func expect(_ reader: LiveReader, knows expected: [Row]) throws {
    let known = reader.known
    try expect("the keys that a follower knows", known.map(\.key), are: expected.map(\.key))
    try expect("the data that a follower knows", known.map(\.data) == expected.map(\.data))
  }

  func checkFirstReading(_ subject: EngineUnderTest, _ place: URL) async throws {
    let held = rows(scatteredKeys(50))
    let (reader, _) = try await pair(subject, place, holding: held)
    try expect(reader, knows: held)
    try await reader.catchUp()
    try expect(reader, knows: held)
  }

  func checkOthersChanges(_ subject: EngineUnderTest, _ place: URL) async throws {
    let held = rows(["a", "b", "c"])
    let (reader, other) = try await pair(subject, place, holding: held)
    let changed = Data("changed".utf8)
    try await other.commit([
      .write(changed, key: key("b")), .remove(key: key("a")), .write(changed, key: key("d")),
      .write(held[2].data, key: key("d")),
    ])
    try await reader.catchUp()
    let expected = [(key("b"), changed), held[2], (key("d"), held[2].data)]
    try expect(reader, knows: expected)
    // A key added and removed again is absent.
    try await other.write(changed, key: key("e"))
    try await other.remove(key: key("e"))
    try await reader.catchUp()
    try expect(reader, knows: expected)
  }

  func checkNotifying(_ subject: EngineUnderTest, _ place: URL) async throws {
    let (reader, other) = try await pair(subject, place, holding: rows(["a"]))
    for number in 1...3 {
      let before = reader.notificationCount
      try await other.write(Data("\(number)".utf8), key: key("a"))
      let end = ContinuousClock.now + .seconds(20)
      while reader.notificationCount == before {
        guard .now < end else {
          throw BrokenPromise(promise: self, detail: "It was not notified within 20 seconds.")
        }
        try await Task.sleep(for: .milliseconds(1))
      }
      try await reader.catchUp()
      try expect(reader, knows: [(key("a"), Data("\(number)".utf8))])
    }
  }

  func checkOwnCommits(_ subject: EngineUnderTest, _ place: URL) async throws {
    let (reader, other) = try await pair(subject, place, holding: rows(["b", "a"]))
    let data = Data("new".utf8)
    let commit = try await reader.commit([
      .write(data, key: key("c")), .write(data, key: key("b")), .remove(key: key("a")),
    ])
    if let positions = commit.positions, !positions.isEmpty {
      try expect(
        "whether it reports the position of the new row alone",
        positions.map { $0 != nil } == [true, false, false])
    }
    try expect(reader, knows: [(key("b"), data), (key("c"), data)])
    try await reader.catchUp()
    try expect(reader, knows: [(key("b"), data), (key("c"), data)])
    try await expect(other, holds: [(key("b"), data), (key("c"), data)])
  }

  func checkConflicts(_ subject: EngineUnderTest, _ place: URL) async throws {
    let (reader, other) = try await pair(subject, place, holding: rows(["a", "b"]))
    let (mine, theirs) = (Data("mine".utf8), Data("theirs".utf8))
    // Overwritten, inserted and removed.
    for (name, change) in [
      ("a", StorageChange.write(theirs, key: key("a"))),
      ("new", .write(theirs, key: key("new"))), ("b", .remove(key: key("b"))),
    ] {
      try await other.commit([change])
      let commit = try await reader.commit(
        [.write(mine, key: key("x"))], basedOn: .keys([key(name)]))
      try expect("whether nothing was written when \(name) had changed", commit.positions == nil)
      try await expect("keyExists", other.keyExists(key("x")), is: false)
      try expect(reader, knows: try await other.readAllDataAndKeys())
      // The refused commit has read the change.
      let again = try await reader.commit(
        [.write(mine, key: key("y"))], basedOn: .keys([key(name)]))
      try expect("whether it was written the second time", again.positions != nil)
    }
    try await other.write(theirs, key: key("a"))
    let commit = try await reader.commit([.write(mine, key: key("x"))], basedOn: .everything)
    try expect("whether nothing was written when anything had changed", commit.positions == nil)
  }

  func checkOtherKeys(_ subject: EngineUnderTest, _ place: URL) async throws {
    let (reader, other) = try await pair(subject, place, holding: rows(["a", "b"]))
    try await other.write(Data("theirs".utf8), key: key("b"))
    let commit = try await reader.commit(
      [.write(Data("mine".utf8), key: key("a"))], basedOn: .keys([key("a")]))
    try expect("whether it was written", commit.positions != nil)
    try expect(
      reader,
      knows: [(key("a"), Data("mine".utf8)), (key("b"), Data("theirs".utf8))])
  }

  func checkOthersOrder(_ subject: EngineUnderTest, _ place: URL) async throws {
    let held = rows(["a", "b", "c"])
    let (reader, other) = try await pair(subject, place, holding: held)
    for name in ["c", "a"] {
      try await other.remove(key: key(name))
      try await other.write(Data("again".utf8), key: key(name))
    }
    try await reader.catchUp()
    let again = Data("again".utf8)
    try expect(reader, knows: [held[1], (key("c"), again), (key("a"), again)])
  }

  func checkOthersClearing(_ subject: EngineUnderTest, _ place: URL) async throws {
    let (reader, other) = try await pair(subject, place, holding: rows(scatteredKeys(20)))
    try await other.removeAllData()
    try await reader.catchUp()
    try expect(reader, knows: [])
    try await other.write(rows(["x"]))
    try await other.removeAllData()
    try await other.write(rows(["z", "y"]))
    try await reader.catchUp()
    try expect(reader, knows: rows(["z", "y"]))
  }

  func checkConvergence(_ subject: EngineUnderTest, _ place: URL) async throws {
    let (one, other) = try await pair(subject, place, holding: [])
    let two = try await reader(subject, place)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (name, reader) in [("one", one), ("two", two)] {
        group.addTask {
          for number in 0..<100 {
            try await reader.commit([
              .write(Data(name.utf8), key: key("\(name)-\(number)")),
              .write(Data("\(name) \(number)".utf8), key: key("shared")),
              .remove(key: key("\(name)-\(number - 3)")),
            ])
          }
        }
      }
      try await group.waitForAll()
    }
    try await one.catchUp()
    try await two.catchUp()
    let held = try await other.readAllDataAndKeys()
    try expect("the number of rows", held.count, is: 7)
    try expect(one, knows: held)
    try expect(two, knows: held)
  }
}
