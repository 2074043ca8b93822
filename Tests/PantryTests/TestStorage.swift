import Foundation
import Glibc
import SystemSupport
import PandaTestSupport
import Synchronization

@testable import Pantry

/// The engines that come with Pantry.
enum EngineKind: String, CaseIterable {
  case sqlite, disk, memory

  /// Those on which stores of several engines follow each other.
  static let live = [EngineKind.sqlite, .disk]
}

/// A fresh place for an engine of one kind, on which it can be opened more than once.
final class TestStorage: Sendable {
  let kind: EngineKind
  let directory = TemporaryDirectory()
  private let memory: MemoryStorageEngine
  private let isOpen = Atomic(false)
  private let now: @Sendable () -> Date
  private let refused = Lock<CacheKey?>(nil)

  init(_ kind: EngineKind, now: @escaping @Sendable () -> Date = { Date() }) {
    self.kind = kind
    self.now = now
    memory = MemoryStorageEngine(now: now)
  }

  /// Another engine on the same items, as after a relaunch.
  ///
  /// In memory the first is the engine itself; those that follow pass everything on to it.
  /// The engine keeps the place from being removed.
  func open() throws -> any StorageEngine {
    let now: @Sendable () -> Date = { [self] in self.now() }
    return switch kind {
    case .sqlite:
      try SQLiteStorageEngine(directory: directory.storage, namespace: "Note", now: now)
    case .disk:
      try DiskStorageEngine(
        OpenFolder(directory.storage) { [self] in try refuse($0) }, now: now)
    case .memory:
      isOpen.exchange(true, ordering: .relaxed) ? ReopenedEngine(memory) : memory
    }
  }

  /// Makes the storage itself fail when `key` is written; memory never does.
  func refuse(_ key: CacheKey) throws {
    switch kind {
    case .sqlite: try directory.database().refuse(key)
    case .disk: refused.withLock { $0 = key }
    case .memory: break
    }
  }

  private func refuse(_ change: FolderChange) throws {
    guard let key = refused.withLock(\.self), case .write(let name) = change else { return }
    let digest = ContentDigest(of: Data(key.rawValue.utf8)).hexadecimal
    if name.hasPrefix(digest) { throw FileError(.write, name, code: ENOSPC) }
  }
}

extension DiskStorageEngine {
  /// Why the content of files cannot be what was written, by their paths.
  func damage() throws -> [String: String] {
    let directory = try loaded()
    let reasons = directory.items.compactMap { digest, item in
      item.damage.map { (directory.folder.path(of: DiskFileName.name(ofItem: digest)), $0) }
    }
    return Dictionary(uniqueKeysWithValues: reasons)
  }
}

extension Database {
  /// Makes the database fail when `key` is written.
  func refuse(_ key: CacheKey) throws {
    try execute(
      // An index whose expression overflows for later writes of the key, which makes them fail.
      """
      CREATE INDEX refuse ON item (abs(iif(
        key = '\(key.rawValue)' AND updatedAt > \(Date().timeIntervalSince1970),
        -9223372036854775807 - 1, 0)))
      """)
  }
}

/// A clock that the test sets.
final class TestClock: Sendable {
  private let time = Lock(Date(timeIntervalSince1970: 1_000_000))
  var now: Date { time.withLock { $0 } }
  func advance() { time.withLock { $0 += 60 } }
}
