internal import Foundation
internal import Pantry

extension EngineContract {
  func checkRelaunch(_ subject: EngineUnderTest, _ place: URL) async throws {
    var rows = rows(["", "../up", "nul\0in", "🐼", "e\u{301}"] + scatteredKeys(20))
    rows[3].data = Data([0xFF, 0, 0x0A])
    rows[4].data = Data()
    let created: [Date]
    let updated: [Date]
    do {
      let engine = try await subject.open(place)
      for row in rows[..<5] { try await engine.write(row.data, key: row.key) }
      try await engine.write(Array(rows[5...]))
      (created, updated) = try await times(rows, engine)
    }
    let engine = try await subject.open(place)
    try await expect(engine, holds: rows)
    let (createdNow, updatedNow) = try await times(rows, engine)
    // A database may store times with less precision than a Date.
    func differ(_ pair: (Date, Date)) -> Bool { abs(pair.0.timeIntervalSince(pair.1)) > 0.002 }
    try expect("the same createdAt", !zip(created, createdNow).contains(where: differ))
    try expect("the same updatedAt", !zip(updated, updatedNow).contains(where: differ))
  }

  func checkRelaunchAfterChanges(_ subject: EngineUnderTest, _ place: URL) async throws {
    let names = scatteredKeys(12)
    var rows = rows(names)
    let created: Date?
    do {
      let engine = try await subject.open(place)
      try await engine.write(rows)
      created = try await engine.createdAt(key: rows[1].key)
    }
    do {
      let engine = try await subject.open(place)
      rows[1].data = Data("changed".utf8)
      try await engine.write(rows[1].data, key: rows[1].key)
      try await engine.remove(key: rows[0].key)
      try await engine.remove(keys: [rows[11].key, rows[6].key])
    }
    do {
      // The last key was removed: a new one must still come after all others.
      let engine = try await subject.open(place)
      try await engine.write(rows[0].data, key: rows[0].key)
      try await engine.commit([.write(rows[6].data, key: rows[6].key)])
    }
    let engine = try await subject.open(place)
    let expected = Array(rows[1..<6]) + rows[7..<11] + [rows[0], rows[6]]
    try await expect(engine, holds: expected)
    let createdNow = try await engine.createdAt(key: rows[1].key)
    if let created, let createdNow {
      try expect("the same createdAt", abs(created.timeIntervalSince(createdNow)) <= 0.002)
    } else {
      throw BrokenPromise(promise: self, detail: "createdAt(key:) is nil.")
    }
    try await engine.removeAllData()
    try await expect(subject.open(place), holds: [])
  }

  /// Applies to an engine that records definitions.
  func checkDefinitions(_ subject: EngineUnderTest, _ place: URL) async throws {
    let (first, second) = (RowType(definition: "first"), RowType(definition: "second"))
    do {
      let engine = try await subject.open(place)
      // One that records nothing agrees with every claim.
      guard try await engine.definition(for: first) == nil else { return }
      try await expect("the first", engine.record(first, replacing: nil) == "first")
      try await expect("still the first", engine.record(second, replacing: nil) == "first")
      try await expect("the second", engine.record(second, replacing: "first") == "second")
      try await engine.write(Data("x".utf8), key: CacheKey(verbatim: "x"))
      try await engine.removeAllData()
      try await expect("still the second", engine.definition(for: first) == "second")
      try await expect("no row", engine.keyCount() == 0)
    }
    guard subject.isPersistent else { return }
    let engine = try await subject.open(place)
    try await expect("the second after reopening", engine.definition(for: first) == "second")
  }

  private func times(_ rows: [Row], _ engine: any StorageEngine) async throws
    -> (created: [Date], updated: [Date])
  {
    var created: [Date] = []
    var updated: [Date] = []
    for row in rows {
      guard let first = try await engine.createdAt(key: row.key),
        let last = try await engine.updatedAt(key: row.key)
      else { throw BrokenPromise(promise: self, detail: "A written key has no times.") }
      created.append(first)
      updated.append(last)
    }
    return (created, updated)
  }
}
