internal import Foundation
internal import Pantry

extension EngineContract {
  func checkInsertionOrder(_ engine: any StorageEngine) async throws {
    let rows = rows(scatteredKeys(40))
    for row in rows[..<10] { try await engine.write(row.data, key: row.key) }
    try await engine.write(Array(rows[10..<30]))
    try await engine.commit(rows[30...].map { .write($0.data, key: $0.key) })
    try await expect(engine, holds: rows)
  }

  func checkKeysByBytes(_ engine: any StorageEngine) async throws {
    // "café" in four scalars and in five.
    let rows = rows(["caf\u{E9}", "cafe\u{301}", "cafe"])
    try await engine.write(rows)
    try await expect(engine, holds: rows)
    try await engine.remove(key: rows[0].key)
    try await expect(engine, holds: [rows[1], rows[2]])
    try await expect("keyExists(_:)", engine.keyExists(rows[0].key), is: false)
    try await expect("read(key:)", engine.read(key: rows[1].key), is: rows[1].data)
  }

  func checkOverwriting(_ engine: any StorageEngine) async throws {
    var rows = rows(scatteredKeys(6))
    try await engine.write(rows)
    let created = try await engine.createdAt(key: rows[1].key)
    rows[1].data = Data("longer than it was before, by far".utf8)
    try await engine.write(rows[1].data, key: rows[1].key)
    rows[3].data = Data("b".utf8)
    rows[0].data = Data()
    try await engine.write([rows[3], rows[0]])
    try await expect(engine, holds: rows)
    try await expect("createdAt(key:)", engine.createdAt(key: rows[1].key), is: created)
  }

  func checkRepeatedKeys(_ engine: any StorageEngine) async throws {
    let rows = rows(["a", "b", "a", "c", "a"])
    let last = Data("last".utf8)
    try await engine.write(Array(rows[..<4]) + [(key: rows[4].key, data: last)])
    try await expect(engine, holds: [(key: key("a"), data: last), rows[1], rows[3]])
  }

  func checkWrittenAgain(_ engine: any StorageEngine) async throws {
    let rows = rows(["a", "b", "c", "d"])
    try await engine.write(rows)
    try await engine.remove(key: rows[0].key)
    try await engine.write(rows[0].data, key: rows[0].key)
    try await engine.commit([.remove(key: rows[1].key), .write(rows[1].data, key: rows[1].key)])
    try await expect(engine, holds: [rows[2], rows[3], rows[0], rows[1]])
  }

  func checkRemoving(_ engine: any StorageEngine) async throws {
    let rows = rows(scatteredKeys(8))
    try await engine.write(rows)
    try await engine.remove(key: rows[0].key)
    try await engine.remove(keys: [rows[5].key, rows[2].key, rows[5].key])
    try await expect(engine, holds: [rows[1], rows[3], rows[4], rows[6], rows[7]])
    try await expect("read(key:)", engine.read(key: rows[5].key), is: nil)
    try await expect("createdAt(key:)", engine.createdAt(key: rows[5].key), is: nil)
    try await engine.removeAllData()
    try await expect(engine, holds: [])
    try await engine.write(rows[6].data, key: rows[6].key)
    try await expect(engine, holds: [rows[6]])
  }

  func checkEmptyCalls(_ engine: any StorageEngine) async throws {
    let rows = rows(["a"])
    try await engine.write(rows)
    try await engine.write([])
    try await engine.remove(keys: [])
    try await engine.commit([StorageChange]())
    try await expect("read(keys:)", engine.read(keys: []), is: [])
    try await expect("keysExist(_:)", engine.keysExist([]), are: [])
    try await expect(engine, holds: rows)
  }

  func checkConcurrentWrites(_ engine: any StorageEngine) async throws {
    let rows = rows(scatteredKeys(1_000))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for row in rows {
        group.addTask { try await engine.write(row.data, key: row.key) }
      }
      try await group.waitForAll()
    }
    try await expect("keyCount()", engine.keyCount(), is: rows.count)
    try await expect(
      "every key as it was written",
      engine.read(keys: rows.map(\.key)) == rows.map(\.data))
  }

  func checkManyKeys(_ engine: any StorageEngine) async throws {
    let rows = rows(scatteredKeys(10_000))
    let keys = rows.map(\.key)
    try await engine.write(rows)
    try await expect(engine, holds: rows)
    try await expect("read(keys:)", engine.read(keys: keys) == rows.map(\.data))
    try await expect("keysExist(_:)", engine.keysExist(keys), are: keys)
    try await engine.remove(keys: Array(keys[1...]))
    try await expect(engine, holds: [rows[0]])
  }
}
