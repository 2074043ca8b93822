import Dispatch
import Foundation
import Observation
import PandaTestSupport
import SystemSupport
import Testing

@testable import Pantry

private enum Level: Codable, Equatable, Sendable {
  case low
  case high(by: Int)
}

private struct Settings {
  @StoredValue var level: Level
  @StoredValue var prefs: Prefs?
}

/// As apps write it, with one place for all.
@MainActor @Observable
private final class Declared {
  static let home = ValueHome()
  static let engine = MemoryStorageEngine()

  @ObservationIgnored @StoredValue(key: "isOpen", directory: home.storage) var isOpen = true
  @ObservationIgnored @StoredValue<Prefs?>(key: "prefs", directory: home.storage) var prefs
  @ObservationIgnored @StoredValue(key: "name", directory: home.storage) var name: String?
  @ObservationIgnored @AsyncStoredValue(key: "names", storage: engine) var names = ["a"]
  @ObservationIgnored @AsyncStoredValue<Prefs?>(key: "prefs", storage: engine) var asyncPrefs
  var other = 0
}

@Suite struct StoredValueTests {
  let home = ValueHome()
  let registry = ValueRegistry()

  @Test func `shows the default, and reading creates nothing`() throws {
    let value = home.value(3, registry: registry)
    #expect(value.wrappedValue == 3)
    #expect(value.loadIssue == nil)
    #expect(!FileManager.default.fileExists(atPath: home.storage.url.path))
  }

  @Test func `a change is in memory immediately and in the file after a flush`() async throws {
    let value = home.value("isOpen", false, registry: registry)
    value.set(true)
    #expect(value.wrappedValue)
    try await value.flush()
    #expect(try home.text("isOpen") == "{\n  \"isOpen\" : true\n}\n")
    #expect(home.value("isOpen", false, registry: ValueRegistry()).wrappedValue)
  }

  @Test func `each file is readable, private and alone`() async throws {
    let prefs = home.value("prefs", Prefs(), registry: registry)
    prefs.set(\.panel.width, to: 30)
    home.value("path", "", registry: registry).set("/a \"b\"\n")
    try await prefs.flush()
    #expect(
      try home.text("prefs") == """
        {
          "prefs" : {
            "panel" : {
              "isOpen" : true,
              "width" : 30
            },
            "theme" : "light"
          }
        }

        """)
    #expect(try home.text("path") == "{\n  \"path\" : \"/a \\\"b\\\"\\n\"\n}\n")
    #expect(try home.names == ["path.json", "prefs.json"])
    for (url, mode) in [
      (home.file("prefs"), 0o600), (home.file("prefs").deletingLastPathComponent(), 0o700),
    ] {
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      #expect(attributes[.posixPermissions] as? Int == mode)
    }
  }

  @Test func `an app's struct holds enums and an optional that can be nil`() async throws {
    let settings = Settings(
      level: home.value("level", .low, registry: registry),
      prefs: home.value("prefs", Prefs?.some(Prefs()), registry: registry))
    settings.$level.set(.high(by: 2))
    settings.$prefs.set(nil)
    #expect(settings.level == .high(by: 2))
    #expect(settings.prefs == nil)
    try await settings.$prefs.flush()
    // Nil was set: it is not the default.
    let relaunched = home.value("prefs", Prefs?.some(Prefs()), registry: ValueRegistry())
    #expect(relaunched.wrappedValue == nil)
    #expect(home.value("level", Level.low, registry: ValueRegistry()).wrappedValue == .high(by: 2))
  }

  @MainActor
  @Test func `wrappers are declared with a default, as an optional, or with their type`()
    async throws
  {
    let declared = Declared()
    #expect(declared.isOpen && declared.prefs == nil && declared.name == nil)
    declared.$isOpen.toggle()
    declared.$prefs.set(Prefs())
    declared.$name.set("Ping")
    try await declared.$names.append("b")
    try await declared.$asyncPrefs.set(Prefs())
    let other = Declared()
    #expect(!other.isOpen && other.prefs == Prefs() && other.name == "Ping")
    #expect(other.names == ["a", "b"] && other.asyncPrefs == Prefs())
    try await declared.$isOpen.flush()
  }

  @Test func `reset shows the default, now and at the next launch`() async throws {
    let value = home.value("a", 1, registry: registry)
    let other = home.value("b", 1, registry: registry)
    value.set(2)
    other.set(2)
    try await value.flush()
    value.reset()
    #expect(value.wrappedValue == 1)
    try await value.flush()
    #expect(home.value("a", 1, registry: ValueRegistry()).wrappedValue == 1)
    #expect(home.value("b", 1, registry: ValueRegistry()).wrappedValue == 2)
  }

  @Test func `each mutation changes its part of the value`() {
    let flag = home.value("flag", false, registry: registry)
    flag.toggle()
    #expect(flag.wrappedValue)
    let names = home.value("names", ["a"], registry: registry)
    names.append("b")
    names.togglePresence("c")
    names.togglePresence("a")
    #expect(names.wrappedValue == ["b", "c"])
    names.replace("b", with: "x")
    names.replace("absent", with: "y")
    #expect(names.wrappedValue == ["x", "c"])
    let set = home.value("set", Set([1]), registry: registry)
    set.togglePresence(1)
    set.togglePresence(2)
    #expect(set.wrappedValue == [2])
    let counts = home.value("counts", ["a": 1], registry: registry)
    counts.update(key: "b", value: 2)
    counts.update(key: "a", value: nil)
    #expect(counts.wrappedValue == ["b": 2])
    let prefs = home.value("prefs", Prefs(), registry: registry)
    prefs.set(\.name, to: "Ping")
    #expect(prefs.wrappedValue == Prefs(name: "Ping"))
  }

  @Test func `each mutation of an optional changes its part of the value`() {
    let names = home.value("names", nil as [String]?, registry: registry)
    names.replace("absent", with: "x")
    #expect(names.wrappedValue == nil)
    names.append("a")
    names.togglePresence("b")
    names.togglePresence("a")
    names.replace("b", with: "c")
    #expect(names.wrappedValue == ["c"])
    let set = home.value("set", nil as Set<Int>?, registry: registry)
    set.togglePresence(1)
    set.togglePresence(2)
    set.togglePresence(1)
    #expect(set.wrappedValue == [2])
    let counts = home.value("counts", nil as [String: Int]?, registry: registry)
    counts.update(key: "a", value: 1)
    counts.update(key: "b", value: 2)
    counts.update(key: "a", value: nil)
    #expect(counts.wrappedValue == ["b": 2])
    let prefs = home.value("prefs", nil as Prefs?, registry: registry)
    prefs.set(\.name, to: "Ping")
    #expect(prefs.wrappedValue == nil)
    prefs.set(Prefs())
    prefs.set(\.name, to: "Ping")
    #expect(prefs.wrappedValue?.name == "Ping")
  }

  @Test func `two wrappers on one key see each other, each with its own default`() {
    let first = home.value(1, registry: registry)
    let second = home.value(2, registry: registry)
    #expect((first.wrappedValue, second.wrappedValue) == (1, 2))
    first.set(5)
    #expect(second.wrappedValue == 5)
    second.reset()
    #expect((first.wrappedValue, second.wrappedValue) == (1, 2))
  }

  @Test func `wrappers of two types on one key lose no change of the other`() async throws {
    let turn = DispatchSemaphore(value: 0)
    let isWaiting = Lock(false)
    let registry = ValueRegistry { _ in
      isWaiting.withLock { $0 = true }
      turn.wait()
      turn.signal()
    }
    home.value("other", 0, registry: registry).set(1)
    try await eventually("the queue is busy") { isWaiting.withLock(\.self) }
    let one = home.value(0, registry: registry)
    let two = home.value(Int?.none, registry: registry)
    one.set(1)
    two.set(100)
    turn.signal()
    try await one.flush()
    try await two.flush()
    one.update { $0 += 1 }
    try await one.flush()
    #expect(one.wrappedValue == 101)
    #expect(home.value(0, registry: ValueRegistry()).wrappedValue == 101)
  }

  @Test func `a wrapper made right after a change sees it, not the old file`() async throws {
    for number in 0..<50 {
      home.value(0, registry: registry).set(number)
      #expect(home.value(0, registry: registry).wrappedValue == number)
    }
  }

  @Test func `1000 concurrent appends lose nothing`() async throws {
    let value = home.value([Int](), registry: registry)
    await withTaskGroup { group in
      for number in 0..<1_000 { group.addTask { value.append(number) } }
    }
    #expect(value.wrappedValue.count == 1_000)
    try await value.flush()
    let relaunched = home.value([Int](), registry: ValueRegistry())
    #expect(relaunched.wrappedValue == value.wrappedValue)
    #expect(Set(relaunched.wrappedValue).count == 1_000)
  }

  @MainActor
  @Test func `observers are notified of a change once, and not of an equal value`() async throws {
    let value = home.value(false, registry: registry)
    let state = AppState(isOpen: home.value(false, registry: registry))
    let changes = ChangeCounter { state.isOpen }
    value.set(false)
    #expect(changes.count == 0)
    value.toggle()
    #expect(changes.count == 1)
    #expect(changes.latest)
    value.set(true)
    #expect(changes.count == 1)
    state.$isOpen.reset()
    #expect(changes.count == 2)
  }

  @Test func `an observer on another thread is notified too`() async {
    let value = home.value(0, registry: registry)
    let changes = SendableChangeCounter { _ = value.wrappedValue }
    await Task.detached { value.set(1) }.value
    #expect(changes.count == 1)
  }

  @Test func `values starts with the current one, then delivers the newest, without repetitions`()
    async throws
  {
    let value = home.value(1, registry: registry)
    value.set(2)
    var iterator = value.values.makeAsyncIterator()
    #expect(await iterator.next() == 2)
    value.set(3)
    value.set(4)
    #expect(await iterator.next() == 4)
    value.set(5)
    value.set(4)
    value.set(6)
    value.set(6)
    #expect(await iterator.next() == 6)
  }

  @Test func `a canceled or abandoned subscriber is removed, and streams end with the value`()
    async throws
  {
    var value: StoredValue<Int>? = home.value(1, registry: registry)
    let observed = try #require(value).value
    let values = try #require(value).values
    let task = Task { for await _ in values {} }
    var abandoned = value?.values
    #expect(observed.subscriberCount == 2)
    task.cancel()
    _ = abandoned
    abandoned = nil
    try await eventually("both are forgotten") { observed.subscriberCount == 0 }
    var home: ValueHome? = ValueHome()
    let last = ValueRegistry()
    value = home?.value(1, registry: last)
    var iterator = try #require(value?.values).makeAsyncIterator()
    #expect(await iterator.next() == 1)
    value = nil
    home = nil
    #expect(await iterator.next() == nil)
  }
}
