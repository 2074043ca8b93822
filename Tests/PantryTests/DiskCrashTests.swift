import Foundation
import Glibc
import SystemSupport
import PandaTestSupport
import Testing

@testable import Pantry

/// Stops the changes to a disk at one of them.
private final class Outage: Sendable {
  private let state: Lock<(left: Int, isOver: Bool)>
  private let lasts: Bool

  /// - Parameter lasts: whether every later change fails too, as if the program had been killed.
  init(after changes: Int, lasts: Bool) {
    state = Lock((changes, false))
    self.lasts = lasts
  }

  /// Whether the change at which it begins was reached.
  var hasBegun: Bool { state.withLock { $0.left < 0 } }

  func pass() throws {
    try state.withLock { state in
      state.left -= 1
      if state.left == -1 || lasts && state.left < 0 { throw OutOfOrder() }
    }
  }
}

@Suite struct DiskCrashTests {
  let directory = TemporaryDirectory()
  private static let before = ["a=1", "b=2", "c=3"]

  /// A commit and its expected result.
  enum Scenario: CaseIterable {
    case writeOne, overwriteOne, removeOne, mixed, removeAll, many

    var changes: [StorageChange] {
      func write(_ key: String, _ text: String) -> StorageChange {
        .write(Data(text.utf8), key: CacheKey(verbatim: key))
      }
      return switch self {
      case .writeOne: [write("d", "4")]
      case .overwriteOne: [write("a", "longer")]
      case .removeOne: [.remove(key: CacheKey(verbatim: "b"))]
      case .mixed: [.remove(key: CacheKey(verbatim: "a")), write("b", "x"), write("d", "y")]
      case .removeAll: [.removeAll, write("c", "9"), write("a", "8")]
      case .many: (0..<34).map { write("k\($0)", "\($0)") }
      }
    }

    /// Whether a crash at this change can differ from one at the previous change.
    ///
    /// Many files are written alike, then flushed together and renamed.
    func differs(at change: Int) -> Bool {
      self != .many || change % 10 == 0 || (33...43).contains(change)
    }

    var after: [String] {
      switch self {
      case .writeOne: DiskCrashTests.before + ["d=4"]
      case .overwriteOne: ["a=longer", "b=2", "c=3"]
      case .removeOne: ["a=1", "c=3"]
      case .mixed: ["b=x", "c=3", "d=y"]
      case .removeAll: ["c=9", "a=8"]
      case .many: DiskCrashTests.before + (0..<34).map { "k\($0)=\($0)" }
      }
    }
  }

  private func open(_ name: String, _ outage: Outage? = nil) throws -> DiskStorageEngine {
    let storage = StorageDirectory(url: directory.url.appending(path: name))
    return try DiskStorageEngine(OpenFolder(storage) { _ in try outage?.pass() })
  }

  /// A copy of the directory, which no open engine knows.
  private func copy(_ name: String) throws -> String {
    let copy = UUID().uuidString
    try FileManager.default.copyItem(atPath: directory.path(name), toPath: directory.path(copy))
    return copy
  }

  private func prepare() async throws -> String {
    let name = UUID().uuidString
    let engine = try open(name)
    for text in Self.before {
      let key = CacheKey(verbatim: String(text.first!))
      try await engine.write(Data(text.dropFirst(2).utf8), key: key)
    }
    return name
  }

  private func content(_ engine: DiskStorageEngine) async throws -> [String] {
    try await engine.readAllDataAndKeys().map {
      "\($0.key.rawValue)=\(String(decoding: $0.data, as: UTF8.self))"
    }
  }

  @Test(arguments: Scenario.allCases)
  func `a crash before any change to the disk leaves all of a commit or nothing`(
    _ scenario: Scenario
  ) async throws {
    let template = try await prepare()
    var hadAll = false
    for number in 0... where scenario.differs(at: number) {
      let name = try copy(template)
      // The first call changes the disk too: its one flush comes before the first change.
      let outage = Outage(after: number + 1, lasts: true)
      let engine = try open(name, outage)
      let isAcknowledged: Bool
      do {
        try await engine.commit(scenario.changes)
        isAcknowledged = true
      } catch {
        try #require(Self.isOutage(error))
        isAcknowledged = false
      }
      let found = try await content(open(copy(name)))
      #expect(found == (found == Self.before ? Self.before : scenario.after), "change \(number)")
      if isAcknowledged { #expect(found == scenario.after, "change \(number)") }
      // Once a commit counts, a crash that comes later cannot undo it.
      if hadAll { #expect(found == scenario.after, "change \(number)") }
      hadAll = found == scenario.after
      if scenario != .many { try await checkCrashesWhileOpening(name, expecting: found) }
      if !outage.hasBegun { break }
    }
    #expect(hadAll)
  }

  private func checkCrashesWhileOpening(_ name: String, expecting content: [String]) async throws {
    for number in [0, 1, 3] {
      let copied = try copy(name)
      // Whether it can be read then is not the question here.
      _ = try? await open(copied, Outage(after: number, lasts: true)).keyCount()
      #expect(try await self.content(open(copy(copied))) == content)
    }
  }

  @Test(arguments: Scenario.allCases)
  func `an error at any change leaves memory and disk consistent, and the engine works on`(
    _ scenario: Scenario
  ) async throws {
    let template = try await prepare()
    for number in 0... where scenario.differs(at: number) {
      let name = try copy(template)
      let outage = Outage(after: number + 1, lasts: false)
      let engine = try open(name, outage)
      let isAcknowledged = try await accepts(scenario.changes, engine)
      let found = try await content(engine)
      #expect(found == (found == Self.before ? Self.before : scenario.after), "change \(number)")
      if isAcknowledged { #expect(found == scenario.after, "change \(number)") }
      #expect(try await content(open(copy(name))) == found, "change \(number)")
      if !outage.hasBegun { break }
      try await engine.write(Data("next".utf8), key: CacheKey(verbatim: "z"))
      #expect(try await content(open(copy(name))) == found + ["z=next"], "change \(number)")
    }
  }

  /// Whether an outage is the cause: after a rename its outcome is unknown.
  private static func isOutage(_ error: any Error) -> Bool {
    if case StorageError.outcomeUnknown = error { return true }
    return error is OutOfOrder
  }

  /// Fails the first flush after a rename, once.
  private final class FailingFlush: Sendable {
    private let state = Lock((hasRenamed: false, isOver: false))

    func pass(_ change: FolderChange) throws {
      try state.withLock { state in
        switch change {
        case .rename(let name): state.hasRenamed = name != "type"
        case .flush where state.hasRenamed && !state.isOver:
          state.isOver = true
          throw FileError(.flush, "store", code: EIO)
        default: break
        }
      }
    }
  }

  @Test(arguments: [1, 3])
  func `a failed flush after the rename is an unknown outcome, and the store reads again`(
    count: Int
  )
    async throws
  {
    let place = StorageDirectory(url: directory.url.appending(path: "store"))
    let failure = FailingFlush()
    let engine = try DiskStorageEngine(OpenFolder(place) { try failure.pass($0) })
    let store = try await Store<Note>(storage: engine)
    let notes = Note.numbered(0..<count)
    await #expect {
      try await store.add(notes)
    } throws: { error in
      guard case StorageError.outcomeUnknown(let reason) = error else { return false }
      return reason.contains(place.url.path) && reason.contains("the disk reported an error")
    }
    // The actual state is shown, and the change is not made twice.
    try await eventually("the stored notes are shown") { await store.items == notes }
    try await store.add(Note(id: "next"))
    #expect(await store.items == notes + [Note(id: "next")])
    #expect(try await content(open(copy("store"))).count == count + 1)
  }

  private func accepts(_ changes: [StorageChange], _ engine: DiskStorageEngine) async throws
    -> Bool
  {
    do {
      try await engine.commit(changes)
      return true
    } catch {
      try #require(Self.isOutage(error))
      return false
    }
  }

  @Test
  func `a program killed at any moment loses no acknowledged commit and leaves no part of one`()
    async throws
  {
    var acknowledged = 0
    var random = SystemRandomNumberGenerator()
    for round in 0..<20 {
      let probe = try CrashProbeProcess(
        directory: directory.path("store"), generation: acknowledged + 1)
      #expect(probe.read(lines: 1 + round % 4), "the probe ended by itself")
      // Killed after 0 to 2 ms of the next commits, wherever that is.
      let end = ContinuousClock.now + .microseconds(Int.random(in: 0...2_000, using: &random))
      while ContinuousClock.now < end {}
      probe.kill()
      acknowledged = try #require(probe.lines.last.flatMap { Int($0) })
      acknowledged = try await checkGeneration(atLeast: acknowledged)
    }
  }

  /// Checks that the storage holds one generation and nothing else, and returns it.
  private func checkGeneration(atLeast acknowledged: Int) async throws -> Int {
    let engine = try open(copy("store"))
    let content = try await content(engine)
    let generation = try #require(content.first.flatMap { Int($0.dropFirst("same-0=".count)) })
    #expect(generation >= acknowledged)
    let items = (max(1, generation - 2)...generation).map { "item-\($0)=\($0)" }
    #expect(content == (0..<5).map { "same-\($0)=\(generation)" } + items)
    #expect(try await engine.damage().isEmpty)
    return generation
  }
}
