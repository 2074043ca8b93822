import Foundation
import PandaTestSupport

@testable import Pantry

/// The item of the tests.
struct Note: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var text = ""

  /// Notes whose identifiers sort in no way that resembles their order.
  static func numbered(_ range: Range<Int>) -> [Note] {
    range.map {
      Note(id: "\(UInt32(truncatingIfNeeded: $0) &* 2_654_435_761)-\($0)", text: "n\($0)")
    }
  }
}

/// A note that carries a picture.
struct Photo: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var picture: Attachment
}

extension Data {
  /// Bytes that differ for each seed and do not compress away.
  static func noise(_ count: Int, seed: UInt64) -> Data {
    var state = seed
    return Data(
      (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      })
  }
}

extension TemporaryDirectory {
  var storage: StorageDirectory { StorageDirectory(url: url.appending(path: "store")) }

  func engine(_ namespace: String = "Note") throws -> SQLiteStorageEngine {
    try SQLiteStorageEngine(directory: storage, namespace: namespace)
  }

  func readOnlyEngine(_ namespace: String = "Note") throws -> SQLiteStorageEngine {
    try SQLiteStorageEngine(directory: storage, namespace: namespace, readOnly: true)
  }

  /// Sets the time of a file's last write back by an hour, beyond the tick of any clock.
  func age(_ path: String) throws {
    let former = timespec(tv_sec: time(nil) - 3_600, tv_nsec: 1)
    guard utimensat(AT_FDCWD, path, [former, former], 0) == 0 else {
      throw TestFailure("the time of \(path) could not be set")
    }
  }

  /// Brings all that is in the log into the file: possible as soon as all have closed it.
  func leaveLog() async throws {
    try await eventually("the file is closed") {
      do {
        try database().execute("PRAGMA journal_mode = DELETE")
        return true
      } catch let error as SQLiteError where error.kind == .busy {
        return false
      }
    }
  }

  /// A second connection to the file, as the sqlite3 shell would open it.
  func database() throws -> Database {
    try Database(path: url.appending(path: "store/pantry.sqlite").path(percentEncoded: false))
  }
}

/// The error of a failing engine.
struct OutOfOrder: Error, Equatable {}

/// An adopter's smallest engine, out of order on request.
actor SmallEngine: StorageEngine {
  private let engine = MemoryStorageEngine()
  private var failure: (error: any Error, key: CacheKey?)?
  private var changesLeft = Int.max

  /// Makes reading fail, that of one key or of all; nil ends it.
  func failToRead(_ error: (any Error)?, of key: CacheKey? = nil) {
    failure = error.map { ($0, key) }
  }

  func failToChange(after count: Int) { changesLeft = count }

  private func requireOrder() throws {
    guard changesLeft > 0 else { throw OutOfOrder() }
    changesLeft -= 1
  }

  func write(_ data: Data, key: CacheKey) async throws {
    try requireOrder()
    await engine.write(data, key: key)
  }
  func remove(key: CacheKey) async throws {
    try requireOrder()
    await engine.remove(key: key)
  }
  func removeAllData() async throws { await engine.removeAllData() }
  func read(key: CacheKey) async throws -> Data? {
    if let failure, failure.key == nil || failure.key == key { throw failure.error }
    return await engine.read(key: key)
  }
  func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    if let failure { throw failure.error }
    return StorageUpdate()
  }
  func createdAt(key: CacheKey) async throws -> Date? { await engine.createdAt(key: key) }
  func updatedAt(key: CacheKey) async throws -> Date? { await engine.updatedAt(key: key) }
  func allKeys() async throws -> [CacheKey] { await engine.allKeys() }
}

/// A real engine whose reads wait and whose commits fail on request.
actor ObstinateEngine: StorageEngine {
  private let engine = MemoryStorageEngine()
  private var isHeld: Bool
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var failsOn: String?
  private var failsToRead: Bool
  private(set) var commitCount = 0

  init(holdsReads: Bool = false, failsToRead: Bool = false) {
    isHeld = holdsReads
    self.failsToRead = failsToRead
  }

  func letReadsGo() {
    isHeld = false
    failsToRead = false
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  func failWhenWriting(_ key: String?) { failsOn = key }

  func write(_ data: Data, key: CacheKey) async throws { await engine.write(data, key: key) }
  func read(key: CacheKey) async throws -> Data? { await engine.read(key: key) }
  func remove(key: CacheKey) async throws { await engine.remove(key: key) }
  func removeAllData() async throws { await engine.removeAllData() }
  func createdAt(key: CacheKey) async throws -> Date? { await engine.createdAt(key: key) }
  func updatedAt(key: CacheKey) async throws -> Date? { await engine.updatedAt(key: key) }
  func allKeys() async throws -> [CacheKey] {
    if isHeld { await withCheckedContinuation { waiting.append($0) } }
    if failsToRead { throw OutOfOrder() }
    return await engine.allKeys()
  }

  func commit(_ changes: [StorageChange]) async throws {
    if !changes.isEmpty { commitCount += 1 }
    for case .write(_, let key, _) in changes where key.rawValue == failsOn { throw OutOfOrder() }
    await engine.commit(changes)
  }
}
