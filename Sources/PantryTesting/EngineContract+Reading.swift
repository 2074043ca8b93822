internal import Foundation
internal import Pantry

extension EngineContract {
  func checkEmptyAtFirst(_ engine: any StorageEngine) async throws {
    try await expect(engine, holds: [])
  }

  func checkAbsentKeys(_ engine: any StorageEngine) async throws {
    let absent = key("absent")
    try await engine.write(Data("1".utf8), key: key("present"))
    try await expect("read(key:)", engine.read(key: absent), is: nil)
    try await expect("read(keys:)", engine.read(keys: [absent]), is: [])
    try await expect("keyExists(_:)", engine.keyExists(absent), is: false)
    try await expect("keysExist(_:)", engine.keysExist([absent]), are: [])
    try await expect("createdAt(key:)", engine.createdAt(key: absent), is: nil)
    try await expect("updatedAt(key:)", engine.updatedAt(key: absent), is: nil)
    try await engine.remove(key: absent)
    try await engine.remove(keys: [absent, absent])
    try await expect("keyCount()", engine.keyCount(), is: 1)
  }

  func checkAnyBytes(_ engine: any StorageEngine) async throws {
    let everyByte = Data((0...255).map { UInt8($0) })
    let samples: [(name: String, data: Data)] = [
      ("no data", Data()), ("NUL", Data([0])), ("text and NUL", Data("a\0b\0".utf8)),
      ("no UTF-8", Data([0xFF, 0xFE, 0xC0, 0x80, 0xED, 0xA0, 0x80])), ("every byte", everyByte),
      ("text", Data("Ünïcödé 🐼\r\n\n".utf8)), ("a slice", everyByte.dropFirst(100).prefix(9)),
      ("1 MB", Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })),
    ]
    for (name, data) in samples {
      try await engine.write(data, key: key(name))
      try await expect(name, engine.read(key: key(name)) == data)
    }
    try await expect(engine, holds: samples.map { (key: key($0.name), data: Data($0.data)) })
  }

  func checkAnyKeys(_ engine: any StorageEngine) async throws {
    let names = [
      "", ".", "..", "../up", "/etc/passwd", "a/b", "a\\b", "nul\0in", "nul\0else", "\n", " ",
      "\"'",
      "%2e%2e", "*?<>|:", "CON", "-rf", "~", "$HOME", "'); DROP TABLE item;--", "🐼", "👩‍👩‍👧",
      "\u{FEFF}", "\u{202E}", "e\u{301}", "Key", "key", "KEY", "lock", "journal",
      String(repeating: "k", count: 4_096), String(repeating: "k", count: 4_095) + "K",
      String(repeating: "🐼", count: 1_024),
    ]
    let rows = rows(names)
    for row in rows.prefix(16) { try await engine.write(row.data, key: row.key) }
    try await engine.write(Array(rows[16...]))
    try await expect(engine, holds: rows)
    for row in rows {
      try await expect("\(row.key.rawValue.prefix(20))", engine.read(key: row.key), is: row.data)
    }
    for row in rows.reversed() { try await engine.remove(key: row.key) }
    try await expect(engine, holds: [])
  }

  func checkBatchReads(_ engine: any StorageEngine) async throws {
    let rows = rows(scatteredKeys(10))
    try await engine.write(rows)
    let asked = [rows[7].key, key("absent"), rows[2].key, rows[9].key]
    let expected = [rows[7], rows[2], rows[9]]
    try await expect("read(keys:)", engine.read(keys: asked), is: expected.map(\.data))
    let found = try await engine.readDataAndKeys(keys: asked)
    try expect("the keys of readDataAndKeys(keys:)", found.map(\.key), are: expected.map(\.key))
    try expect("the data of readDataAndKeys(keys:)", found.map(\.data), is: expected.map(\.data))
    try await expect("keysExist(_:)", engine.keysExist(asked), are: expected.map(\.key))
    try await expect("keyExists(_:)", engine.keyExists(rows[2].key), is: true)
    let keys = rows.map(\.key)
    for (key, limit, expected) in [
      (nil, 3, keys[..<3]), (keys[2], 4, keys[3..<7]), (keys[7], 100, keys[8...]),
      (keys[9], 1, []), (key("absent"), 5, []), (nil, 100, keys[...]),
    ] as [(CacheKey?, Int, ArraySlice<CacheKey>)] {
      let page = try await engine.readDataAndKeys(after: key, limit: limit)
      try expect(
        "readDataAndKeys(after:limit:)",
        page.map(\.key) == Array(expected)
          && page.allSatisfy { row in rows.contains { $0.key == row.key && $0.data == row.data } })
    }
  }

  func checkTimes(_ engine: any StorageEngine) async throws {
    let name = key("a")
    try await engine.write(Data("1".utf8), key: name)
    guard let created = try await engine.createdAt(key: name),
      let updated = try await engine.updatedAt(key: name)
    else { throw BrokenPromise(promise: self, detail: "A written key has no times.") }
    try expect("updatedAt not before createdAt", updated >= created)
    try await engine.write(Data("2".utf8), key: name)
    try await expect("createdAt(key:)", engine.createdAt(key: name), is: created)
    let later = try await engine.updatedAt(key: name)
    try expect("updatedAt not before the last one", later.map { $0 >= updated } ?? false)
  }
}
