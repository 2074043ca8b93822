import Foundation
import Observation
import PandaTestSupport
import Testing

@testable import Pantry

@MainActor
private final class PrefsController {
  @AsyncStoredValue var prefs: Prefs?

  init(storage: any StorageEngine) { _prefs = AsyncStoredValue(key: "prefs", storage: storage) }
}

struct Filter: Codable, Equatable, Sendable { var showsHidden = false }

/// The example from the documentation.
///
/// It only has to compile: running it would touch the user's own files.
@MainActor @Observable final class Screen {
  @ObservationIgnored
  @AsyncStoredValue(
    key: "filter", storage: SQLiteStorageEngine.default(appendingPath: "Notes", namespace: "values")
  )
  var filter = Filter()

  func showHidden() async throws { try await $filter.set(\.showsHidden, to: true) }
}

@MainActor
@Suite struct AsyncStoredValueTests {
  @Test(arguments: EngineKind.allCases)
  func `a value survives a relaunch, and a reset removes it`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    let engine = try storage.open()
    let value = AsyncStoredValue(wrappedValue: 1, key: "a/b", storage: engine)
    #expect(value.wrappedValue == 1)
    try await value.set(2)
    #expect(value.wrappedValue == 2)
    #expect(try await engine.read(key: CacheKey(verbatim: "a/b")) == Data("2".utf8))
    let relaunched = AsyncStoredValue(wrappedValue: 1, key: "a/b", storage: try storage.open())
    try await relaunched.valueHasLoaded()
    #expect(relaunched.wrappedValue == 2)
    try await relaunched.reset()
    #expect(relaunched.wrappedValue == 1)
    #expect(try await engine.keyCount() == 0)
  }

  @Test(arguments: EngineKind.allCases)
  func `an optional can be set to nil, which is not the default`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let controller = PrefsController(storage: try storage.open())
    try await controller.$prefs.set(Prefs(theme: .dark))
    #expect(controller.prefs?.theme == .dark)
    try await controller.$prefs.set(nil)
    #expect(controller.prefs == nil)
    let relaunched = AsyncStoredValue<Prefs?>(
      wrappedValue: Prefs(), key: "prefs", storage: try storage.open())
    try await relaunched.valueHasLoaded()
    #expect(relaunched.wrappedValue == nil)
  }

  @Test func `each mutation changes its part of the value`() async throws {
    let storage = MemoryStorageEngine()
    let flag = AsyncStoredValue(wrappedValue: false, key: "flag", storage: storage)
    try await flag.toggle()
    #expect(flag.wrappedValue)
    let names = AsyncStoredValue(wrappedValue: ["a"], key: "names", storage: storage)
    try await names.append("b")
    try await names.togglePresence("a")
    try await names.replace("b", with: "c")
    #expect(names.wrappedValue == ["c"])
    let set = AsyncStoredValue(wrappedValue: Set([1]), key: "set", storage: storage)
    try await set.togglePresence(2)
    #expect(set.wrappedValue == [1, 2])
    let counts = AsyncStoredValue(wrappedValue: ["a": 1], key: "counts", storage: storage)
    try await counts.update(key: "b", value: 2)
    try await counts.update(key: "a", value: nil)
    #expect(counts.wrappedValue == ["b": 2])
    let prefs = AsyncStoredValue(wrappedValue: Prefs(), key: "prefs", storage: storage)
    try await prefs.set(\.panel.width, to: 7)
    #expect(prefs.wrappedValue.panel.width == 7)
  }

  @Test func `each mutation of an optional changes its part of the value`() async throws {
    let storage = MemoryStorageEngine()
    let names = AsyncStoredValue<[String]?>(wrappedValue: nil, key: "names", storage: storage)
    try await names.replace("absent", with: "x")
    #expect(names.wrappedValue == nil)
    try await names.append("a")
    try await names.togglePresence("b")
    try await names.togglePresence("a")
    try await names.replace("b", with: "c")
    #expect(names.wrappedValue == ["c"])
    let set = AsyncStoredValue<Set<Int>?>(wrappedValue: nil, key: "set", storage: storage)
    try await set.togglePresence(1)
    try await set.togglePresence(2)
    try await set.togglePresence(1)
    #expect(set.wrappedValue == [2])
    let counts = AsyncStoredValue<[String: Int]?>(
      wrappedValue: nil, key: "counts", storage: storage)
    try await counts.update(key: "a", value: 1)
    try await counts.update(key: "b", value: 2)
    try await counts.update(key: "a", value: nil)
    #expect(counts.wrappedValue == ["b": 2])
    let prefs = AsyncStoredValue<Prefs?>(wrappedValue: nil, key: "prefs", storage: storage)
    try await prefs.set(\.panel.width, to: 7)
    #expect(prefs.wrappedValue == nil)
    try await prefs.set(Prefs())
    try await prefs.set(\.panel.width, to: 7)
    #expect(prefs.wrappedValue?.panel.width == 7)
  }

  @Test func `a change that fails throws and leaves memory and disk as they were`() async throws {
    let engine = ObstinateEngine()
    let value = AsyncStoredValue(wrappedValue: 1, key: "key", storage: engine)
    try await value.set(2)
    await engine.failWhenWriting("key")
    await #expect(throws: OutOfOrder.self) { try await value.set(3) }
    #expect(value.wrappedValue == 2)
    #expect(try await engine.read(key: CacheKey(verbatim: "key")) == Data("2".utf8))
    await engine.failWhenWriting(nil)
    try await value.set(4)
    #expect(value.wrappedValue == 4)
  }

  @Test func `a load that began before a call and fails does not answer it`() async throws {
    let engine = UnreadableEngine()
    let key = CacheKey(verbatim: "key")
    await engine.write(Data("5".utf8), key: key)
    await engine.hold(key)
    let value = AsyncStoredValue(wrappedValue: 1, key: "key", storage: engine)
    try await eventually("the load has begun") { await engine.isHeld }
    let loading = Task.immediate { try await value.valueHasLoaded() }
    await engine.mend()
    await engine.letGo()
    try await loading.value
    #expect(value.wrappedValue == 5)
  }

  @Test func `a failed load throws, hides nothing and is retried`() async throws {
    let engine = UnreadableEngine()
    await engine.write(Data("5".utf8), key: CacheKey(verbatim: "key"))
    let value = AsyncStoredValue(wrappedValue: 1, key: "key", storage: engine)
    await #expect(throws: OutOfOrder.self) { try await value.valueHasLoaded() }
    await #expect(throws: OutOfOrder.self) { try await value.set(6) }
    #expect(value.wrappedValue == 1)
    await engine.mend()
    try await value.valueHasLoaded()
    #expect(value.wrappedValue == 5)
  }

  @Test func `an undecodable value reads as the default, and stays until another is set`()
    async throws
  {
    let engine = MemoryStorageEngine()
    let key = CacheKey(verbatim: "key")
    try await AsyncStoredValue(wrappedValue: "", key: "key", storage: engine).set("text")
    let value = AsyncStoredValue(wrappedValue: 1, key: "key", storage: engine)
    try await value.valueHasLoaded()
    #expect(value.wrappedValue == 1)
    #expect(value.loadIssue?.key == key)
    #expect(await engine.read(key: key) == Data("\"text\"".utf8))
    try await value.set(1)
    #expect(value.loadIssue == nil)
    #expect(await engine.read(key: key) == Data("1".utf8))
  }

  @Test(arguments: EngineKind.allCases)
  func `1000 concurrent appends lose nothing, and two wrappers see each other`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    let engine = try storage.open()
    let count = kind == .memory ? 1_000 : 200
    let values = (0..<2).map { _ in
      AsyncStoredValue(wrappedValue: [Int](), key: "numbers", storage: engine)
    }
    try await withThrowingTaskGroup { group in
      for number in 0..<count {
        group.addTask { try await values[number % 2].append(number) }
      }
      try await group.waitForAll()
    }
    #expect(Set(values[0].wrappedValue).count == count)
    #expect(values[0].wrappedValue == values[1].wrappedValue)
  }

  @Test(arguments: EngineKind.live)
  func `a value set by another process is overwritten, updated and reset`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let value = AsyncStoredValue(wrappedValue: 0, key: "number", storage: try storage.open())
    try await value.set(5)
    // As another process.
    let engine = try storage.open()
    let key = CacheKey(verbatim: "number")
    try await engine.write(Data("7".utf8), key: key)
    try await value.set(5)
    #expect(try await engine.read(key: key) == Data("5".utf8))
    try await engine.write(Data("7".utf8), key: key)
    try await value.update { $0 += 1 }
    #expect(value.wrappedValue == 8)
    try await value.reset()
    try await engine.write(Data("4".utf8), key: key)
    try await value.reset()
    #expect(try await engine.read(key: key) == nil)
  }

  @Test(arguments: EngineKind.live)
  func `values on two engines of one place are one`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let one = AsyncStoredValue(wrappedValue: 0, key: "number", storage: try storage.open())
    let other = AsyncStoredValue(wrappedValue: 0, key: "number", storage: try storage.open())
    try await withThrowingTaskGroup { group in
      for number in 0..<20 {
        group.addTask { try await (number % 2 == 0 ? one : other).update { $0 += 1 } }
      }
      try await group.waitForAll()
    }
    #expect(one.wrappedValue == 20 && other.wrappedValue == 20)
  }

  @Test func `changes called one after another on an actor apply in that order`() async throws {
    let engine = MemoryStorageEngine()
    let value = AsyncStoredValue(wrappedValue: [Int](), key: "numbers", storage: engine)
    let tasks = (0..<100).map { number in Task { try await value.append(number) } }
    for task in tasks { try await task.value }
    #expect(value.wrappedValue == Array(0..<100))
  }

  @Test func `observers and values are notified of a change once, and not of an equal value`()
    async throws
  {
    let value = AsyncStoredValue(wrappedValue: 1, key: "key", storage: MemoryStorageEngine())
    try await value.valueHasLoaded()
    let changes = SendableChangeCounter { _ = value.wrappedValue }
    var iterator = value.values.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    try await value.set(1)
    #expect(changes.count == 0)
    try await value.set(2)
    try await value.set(2)
    #expect(changes.count == 1)
    #expect(await iterator.next() == 2)
  }

  @Test func `an observer on the main actor is notified there, wherever the change was made`()
    async throws
  {
    let engine = MemoryStorageEngine()
    await engine.write(Data("5".utf8), key: CacheKey(verbatim: "key"))
    let value = AsyncStoredValue(wrappedValue: 1, key: "key", storage: engine)
    // The counter traps when it is notified on another thread.
    let changes = ChangeCounter { value.wrappedValue }
    try await value.valueHasLoaded()
    #expect(changes.count == 1)
    try await Task.detached { try await value.set(6) }.value
    #expect(changes.count == 2)
    #expect(changes.latest == 6)
  }

  @Test func `the stream ends when the last wrapper is deallocated`() async throws {
    var value: AsyncStoredValue<Int>? = AsyncStoredValue(
      wrappedValue: 1, key: "key", storage: MemoryStorageEngine())
    let values = try #require(value?.values)
    value = nil
    var seen: [Int] = []
    for await value in values { seen.append(value) }
    #expect(seen == [1])
  }
}

/// An engine that cannot be read until it is mended.
private actor UnreadableEngine: StorageEngine {
  private let engine = MemoryStorageEngine()
  private var isMended = false
  /// Holds the next reading of a key.
  private var held: (key: CacheKey, reading: CheckedContinuation<Void, Never>?)?

  func mend() { isMended = true }

  func hold(_ key: CacheKey) { held = (key, nil) }
  var isHeld: Bool { held?.reading != nil }
  func letGo() {
    held?.reading?.resume()
    held = nil
  }

  func write(_ data: Data, key: CacheKey) async { await engine.write(data, key: key) }
  func read(key: CacheKey) async throws -> Data? {
    let fails = !isMended
    if let held, held.key == key, held.reading == nil {
      await withCheckedContinuation { self.held?.reading = $0 }
    }
    if fails { throw OutOfOrder() }
    return await engine.read(key: key)
  }
  func remove(key: CacheKey) async throws { await engine.remove(key: key) }
  func removeAllData() async throws { await engine.removeAllData() }
  func createdAt(key: CacheKey) async throws -> Date? { await engine.createdAt(key: key) }
  func updatedAt(key: CacheKey) async throws -> Date? { await engine.updatedAt(key: key) }
  func allKeys() async throws -> [CacheKey] { await engine.allKeys() }
}
