import CPantrySQLite
import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Random damage: recovery finds no less than SQLite does.
@MainActor
@Suite struct RandomDamageTests {
  private static let isLong = ProcessInfo.processInfo.environment["PANDA_TORTURE"] == "1"

  @Test func `fault 42: recovery of randomly damaged copies finds no fewer rows than a scan`()
    async throws
  {
    let file = try await FileToDamage(40, pictures: 9_000)
    // Half of the copies have changes in the log.
    let withLog = try file.copied()
    #expect(
      try Data(contentsOf: withLog.storage.url.appending(path: "pantry.sqlite-wal")).count > 0)
    try await file.close()
    let withoutLog = try file.copied()
    var found = 0
    for seed in 0..<(Self.isLong ? 200 : 20) {
      var random = SplitMix64(seed: UInt64(seed))
      let source = seed % 2 == 0 ? withoutLog : withLog
      let copy = TemporaryDirectory(inMemory: true)
      try FileManager.default.copyItem(at: source.storage.url, to: copy.storage.url)
      let names = try copy.names.filter { $0.hasSuffix("-wal") || $0.hasSuffix("sqlite") }
      let name = names.randomElement(using: &random) ?? ""
      let url = copy.storage.url.appending(path: name)
      var data = try Data(contentsOf: url)
      Self.damage(&data, using: &random)
      try data.write(to: url)
      let originals = try Self.contents(of: copy)

      let scanned = Self.plainScan(try Self.clone(copy))
      var recovered: Set<String> = []
      do {
        let engine = copy.deferredEngine()
        let report = try await engine.recover()
        recovered = Set(try await engine.allKeys().map(\.rawValue))
        if let report {
          let kept = try Data(contentsOf: URL(filePath: report.originalPath))
          #expect(kept == originals["pantry.sqlite"], "seed \(seed)")
          let log = originals["pantry.sqlite-wal"] ?? Data()
          if !log.isEmpty {
            #expect(
              try Data(contentsOf: URL(filePath: report.originalPath + "-wal")) == log,
              "seed \(seed)")
          }
          _ = try await copy.soundKeys()
        }
      } catch let error as StorageError where !SQLiteStorageEngine.reportsDamage(error) {
        // Damage may say that another program wrote the file: then it is as it was.
        #expect(try Self.contents(of: copy) == originals, "seed \(seed)")
        continue
      }
      let real = scanned.intersection(file.photos.keys)
      #expect(real.isSubset(of: recovered), "seed \(seed): \(real.subtracting(recovered))")
      // A log that ends before a removal says that it has not happened, to SQLite as to others.
      let returned = recovered.intersection(file.removed)
      #expect(returned.isSubset(of: name.hasSuffix("-wal") ? scanned : []), "seed \(seed): \(name)")
      found += recovered.count
    }
    #expect(found > 20 * file.photos.count / 2)
  }

  private static func damage(_ data: inout Data, using random: inout SplitMix64) {
    guard data.count > 100 else { return }
    func range(_ most: Int) -> Range<Int> {
      let start = Int.random(in: 0..<data.count, using: &random)
      return start..<min(data.count, start + Int.random(in: 1...most, using: &random))
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: data = data.prefix(Int.random(in: 100..<data.count, using: &random))
    case 1:
      for _ in 0..<Int.random(in: 1...64, using: &random) {
        data[Int.random(in: 0..<data.count, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      }
    case 2:
      let place = range(40_000)
      data.replaceSubrange(place, with: Data(count: place.count))
    case 3:
      let place = range(20_000)
      data.replaceSubrange(
        place, with: Data(place.map { _ in UInt8.random(in: 0...255, using: &random) }))
    case 4:
      // A page at the place of another.
      let pages = max(1, data.count / 8_192)
      let from = Int.random(in: 0..<pages, using: &random) * 8_192
      let to = Int.random(in: 0..<pages, using: &random) * 8_192
      let page = data[from..<min(data.count, from + 8_192)]
      if to + page.count <= data.count { data.replaceSubrange(to..<to + page.count, with: page) }
    default:
      // The beginnings of a few pages.
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let page = Int.random(in: 0..<max(1, data.count / 8_192), using: &random) * 8_192
        guard page + 16 <= data.count else { continue }
        data.replaceSubrange(
          page..<page + 16, with: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
    }
  }

  private static func contents(of directory: TemporaryDirectory) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in ["pantry.sqlite", "pantry.sqlite-wal"] {
      let url = directory.storage.url.appending(path: name)
      if FileManager.default.fileExists(atPath: url.path) {
        contents[name] = try Data(contentsOf: url)
      }
    }
    return contents
  }

  private static func clone(_ directory: TemporaryDirectory) throws -> TemporaryDirectory {
    let copy = TemporaryDirectory(inMemory: true)
    try FileManager.default.copyItem(at: directory.storage.url, to: copy.storage.url)
    return copy
  }

  /// The keys of the favorites that SQLite reads until its first error.
  private static func plainScan(_ directory: TemporaryDirectory) -> Set<String> {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close_v2(database)
    }
    guard sqlite3_open(directory.file.path, &database) == pantry_sqlite3_ok,
      sqlite3_prepare_v2(
        database,
        "SELECT key, data FROM item NOT INDEXED WHERE namespace = 1 AND typeof(data) = 'text'",
        -1, &statement, nil) == pantry_sqlite3_ok
    else { return [] }
    var keys: Set<String> = []
    while sqlite3_step(statement) == pantry_sqlite3_row {
      guard let text = sqlite3_column_text(statement, 0) else { continue }
      keys.insert(String(cString: text))
    }
    return keys
  }
}
