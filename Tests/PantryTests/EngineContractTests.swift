import Foundation
import SystemSupport
import PandaTestSupport
import PantryTesting
import Testing

@testable import Pantry

/// The minimal engine around a custom database.
private actor DictionaryEngine: StorageEngine {
  private var rows: [(key: CacheKey, data: Data, created: Date, updated: Date)] = []
  private let closing: @Sendable () -> Void

  init(closing: @escaping @Sendable () -> Void = {}) { self.closing = closing }

  private func index(_ key: CacheKey) -> Int? { rows.firstIndex { $0.key == key } }

  func write(_ data: Data, key: CacheKey) async throws {
    if let index = index(key) {
      rows[index].data = data
      rows[index].updated = Date()
    } else {
      rows.append((key, data, Date(), Date()))
    }
  }

  func read(key: CacheKey) async throws -> Data? { index(key).map { rows[$0].data } }
  func remove(key: CacheKey) async throws { rows.removeAll { $0.key == key } }
  func removeAllData() async throws { rows = [] }
  func allKeys() async throws -> [CacheKey] { rows.map(\.key) }
  func createdAt(key: CacheKey) async throws -> Date? { index(key).map { rows[$0].created } }
  func updatedAt(key: CacheKey) async throws -> Date? { index(key).map { rows[$0].updated } }
  func close() async throws { closing() }
}

/// An engine that lists its keys in the wrong order and loses long data.
private actor ForgetfulEngine: StorageEngine {
  private let engine = MemoryStorageEngine()

  func write(_ data: Data, key: CacheKey) async throws {
    await engine.write(data.count > 1_000 ? Data() : data, key: key)
  }
  func read(key: CacheKey) async throws -> Data? { await engine.read(key: key) }
  func remove(key: CacheKey) async throws { await engine.remove(key: key) }
  func removeAllData() async throws { await engine.removeAllData() }
  func allKeys() async throws -> [CacheKey] {
    await engine.allKeys().sorted { $0.rawValue < $1.rawValue }
  }
  func createdAt(key: CacheKey) async throws -> Date? { await engine.createdAt(key: key) }
  func updatedAt(key: CacheKey) async throws -> Date? { await engine.updatedAt(key: key) }
}

@Suite struct EngineContractTests {
  @Test(arguments: EngineContract.allCases)
  func `SQLite keeps its promises`(_ promise: EngineContract) async throws {
    let subject = EngineUnderTest(
      commitsAreAtomic: true, isLive: true,
      refuse: { place, key in
        try Database(path: place.appending(path: "pantry.sqlite").path(percentEncoded: false))
          .refuse(key)
      },
      open: { try SQLiteStorageEngine(directory: StorageDirectory(url: $0)) })
    try await promise.check(subject)
  }

  @Test(arguments: EngineContract.allCases)
  func `Disk keeps its promises`(_ promise: EngineContract) async throws {
    let refused = Lock<CacheKey?>(nil)
    let openings = Lock(0)
    let subject = EngineUnderTest(
      commitsAreAtomic: true,
      refuse: { _, key in refused.withLock { $0 = key } },
      open: { place in
        // A copy each time: an engine still open would share its state with the next.
        let number = openings.withLock { number in
          number += 1
          return number
        }
        let folder = place.appending(path: "\(number)")
        if number > 1 {
          try FileManager.default.copyItem(at: place.appending(path: "\(number - 1)"), to: folder)
        }
        return try DiskStorageEngine(
          OpenFolder(StorageDirectory(url: folder)) { change in
            guard let key = refused.withLock(\.self), case .write(let name) = change else { return }
            if name.hasPrefix(ContentDigest(of: Data(key.rawValue.utf8)).hexadecimal) {
              throw OutOfOrder()
            }
          })
      })
    try await promise.check(subject)
  }

  @Test(arguments: EngineContract.allCases)
  func `Disk engines on one directory keep their promises`(_ promise: EngineContract) async throws {
    // An engine alone is enough for that, above.
    guard promise != .manyKeys else { return }
    try await promise.check(
      EngineUnderTest(commitsAreAtomic: true, isLive: true) {
        try DiskStorageEngine(directory: StorageDirectory(url: $0))
      })
  }

  @Test(arguments: EngineContract.allCases)
  func `an engine that redelivers rows passes the contract`(
    _ promise: EngineContract
  ) async throws {
    // It is in memory, as the next one is.
    guard promise != .manyKeys else { return }
    let server = TestServer()
    try await promise.check(
      EngineUnderTest(commitsAreAtomic: true, isLive: true) {
        RemoteEngine(server, table: $0.path)
      })
  }

  @Test(arguments: EngineContract.allCases)
  func `Memory keeps its promises`(_ promise: EngineContract) async throws {
    try await promise.check(
      EngineUnderTest(isPersistent: false, commitsAreAtomic: true) { _ in MemoryStorageEngine() })
  }

  @Test(arguments: EngineContract.allCases)
  func `a custom engine needs only the required methods`(_ promise: EngineContract)
    async throws
  {
    // With its linear search, 10,000 keys would take it minutes.
    guard promise != .manyKeys else { return }
    try await promise.check(EngineUnderTest(isPersistent: false) { _ in DictionaryEngine() })
  }

  @Test func `broken promises are reported with the results found`() async throws {
    do {
      try await EngineContract.check(
        EngineUnderTest(isPersistent: false) { _ in ForgetfulEngine() })
      Issue.record("nothing was found")
    } catch let broken as BrokenContract {
      let promises = Set(broken.promises.map(\.promise))
      #expect(promises.isSuperset(of: [.insertionOrder, .anyBytes]))
      #expect(promises.isDisjoint(with: [.absentKeys, .concurrentWrites, .times]))
      #expect(broken.description.contains("“data comes back byte for byte"))
    }
  }

  @Test func `an engine is closed before its directory is removed`() async throws {
    let closings = Lock<[Bool]>([])
    try await EngineContract.emptyAtFirst.check(
      EngineUnderTest { place in
        DictionaryEngine {
          closings.withLock { $0.append(FileManager.default.fileExists(atPath: place.path)) }
        }
      })
    #expect(closings.withLock(\.self) == [true])
  }

  @Test(arguments: EngineKind.allCases)
  func `createdAt and updatedAt are the times of the first and the last write`(_ kind: EngineKind)
    async throws
  {
    let clock = TestClock()
    let engine = try TestStorage(kind) { clock.now }.open()
    let key = CacheKey(verbatim: "a")
    let start = clock.now
    try await engine.write(Data("1".utf8), key: key)
    clock.advance()
    try await engine.write(Data("2".utf8), key: key)
    #expect(try await engine.createdAt(key: key) == start)
    #expect(try await engine.updatedAt(key: key) == clock.now)
  }
}
