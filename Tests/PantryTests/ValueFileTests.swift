import Foundation
import Glibc
import SystemSupport
import PandaTestSupport
import Testing

@testable import Pantry

/// The disk as a test wants it.
private final class Disk: Sendable {
  private let full = Lock(false)
  var isFull: Bool {
    get { full.withLock(\.self) }
    set { full.withLock { $0 = newValue } }
  }
  var registry: ValueRegistry {
    ValueRegistry { [self] change in
      if isFull, case .write(let name) = change {
        throw FileError(.write, name, code: ENOSPC)
      }
    }
  }
}

@Suite struct ValueFileTests {
  let home = ValueHome()

  @Test(arguments: [
    "", ".", "..", "/", "../../up", "a/b", "values.json", "a.b", "A", "a", "_a", "%41", "é",
    "e\u{301}", "\0", "🐼", "key\n", String(repeating: "k", count: 1_000),
    String(repeating: "é", count: 300),
  ])
  func `every key has its own file in the directory`(_ key: String) async throws {
    let value = home.value(key, 0, registry: ValueRegistry())
    value.set(1)
    try await value.flush()
    #expect(home.value(key, 0, registry: ValueRegistry()).wrappedValue == 1)
    #expect(try home.names == [ValueFile.name(key)])
    let plain = "abcdefghijklmnopqrstuvwxyz0123456789-_%=."
    #expect(ValueFile.name(key).allSatisfy(plain.contains))
  }

  @Test func `no two keys share a file, even on a case-insensitive file system`() {
    let keys = ["a", "A", "_a", "%41", "aB", "ab", "a_b", "a-b", "a.b", "a b", "é", "e\u{301}"]
    #expect(Set(keys.map(ValueFile.name)).count == keys.count)
    #expect(ValueFile.name("partyMode") == "party_mode.json")
    let long = String(repeating: "k", count: 1_000)
    #expect(ValueFile.name(long) == "=\(CacheKey(long).rawValue).json")
  }

  @Test func `a change whose name in the directory could not be flushed is made once`()
    async throws
  {
    let isRenamed = Lock(false)
    let registry = ValueRegistry { change in
      switch change {
      case .rename: isRenamed.withLock { $0 = true }
      case .flush where isRenamed.withLock(\.self):
        isRenamed.withLock { $0 = false }
        throw FileError(.flush, "values", code: EIO)
      default: break
      }
    }
    let value = home.value(0, registry: registry)
    value.update { $0 += 1 }
    // The first attempt fails, here or before.
    try? await value.flush()
    try await value.flush()
    #expect(value.wrappedValue == 1)
    #expect(try home.text() == "{\n  \"key\" : 1\n}\n")
  }

  @Test func `an undecodable value reads as the default, and stays until another is set`()
    async throws
  {
    let text = #"{ "key" : "not a number"}"#
    try home.write(text, to: home.file("key"))
    let value = home.value(3, registry: ValueRegistry())
    #expect(value.wrappedValue == 3)
    let issue = try #require(value.loadIssue)
    #expect(issue.key == CacheKey(verbatim: "key"))
    #expect(issue.reason == "It is not a Int.")
    try await value.flush()
    #expect(try home.text() == text)
    value.set(3)
    #expect(value.loadIssue == nil)
    try await value.flush()
    #expect(try home.text() == "{\n  \"key\" : 3\n}\n")
  }

  @Test func `fault 42: a file of open brackets reads as the default, and ends no process`()
    throws
  {
    try home.write(String(repeating: "[", count: 513), to: home.file("key"))
    let value = home.value(3, registry: ValueRegistry())
    #expect(value.wrappedValue == 3)
    #expect(value.loadIssue != nil)
  }

  @Test func `values of 0.1.0 are refused and untouched, until 0.2.0 has opened them`() async throws
  {
    let directory = TemporaryDirectory()
    try ReleasedData(release: "0.1.0", home: "closed").copy(to: directory)
    let place = StorageDirectory(url: directory.url.appending(path: "state/panda"))
    let file = place.url.appending(path: "values.json")
    let before = try Data(contentsOf: file)
    func seen(_ registry: ValueRegistry) -> StoredValue<Int> {
      StoredValue(wrappedValue: 0, key: "pandasMet", directory: place, registry: registry)
    }
    let refused = seen(ValueRegistry())
    #expect(refused.wrappedValue == 0)
    let error = StorageError.olderSchema(path: file.path)
    #expect(refused.loadIssue?.reason.contains("open it once with version 0.2.0") == true)
    refused.set(1)
    await #expect(throws: error) { try await refused.flush() }
    #expect(try Data(contentsOf: file) == before)
    // 0.2.0 left values that were not set again where they were, and read them from there.
    let values = place.url.appending(path: "values.json.d")
    try #require(!FileManager.default.fileExists(atPath: values.path))
    try FileManager.default.createDirectory(at: values, withIntermediateDirectories: false)
    let value = seen(ValueRegistry())
    #expect(value.wrappedValue == 8 && value.loadIssue == nil)
    // A reset value does not come back.
    value.reset()
    try await value.flush()
    #expect(seen(ValueRegistry()).wrappedValue == 0)
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func `writes of another process meanwhile survive`() async throws {
    let here = home.value("here", 0, registry: ValueRegistry())
    let there = home.value("there", 0, registry: ValueRegistry())
    for number in 1...20 {
      here.set(number)
      there.set(number)
      try await here.flush()
      try await there.flush()
    }
    here.reset()
    try await here.flush()
    #expect(home.value("here", 0, registry: ValueRegistry()).wrappedValue == 0)
    #expect(home.value("there", 0, registry: ValueRegistry()).wrappedValue == 20)
  }

  @Test func `two processes that write one key at once leave one complete value`() async throws {
    let texts = ["+", "-"].map { String(repeating: $0, count: 100_000) }
    try await withThrowingTaskGroup { group in
      for text in texts {
        let value = home.value("", registry: ValueRegistry())
        group.addTask {
          for _ in 0..<20 {
            value.set(text)
            try await value.flush()
            value.set("")
            try await value.flush()
            value.set(text)
            try await value.flush()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(texts.contains(home.value("", registry: ValueRegistry()).wrappedValue))
    #expect(try home.names == ["key.json"])
  }

  @Test func `two processes that write many keys concurrently lose none`() async throws {
    let registries = [ValueRegistry(), ValueRegistry()]
    try await withThrowingTaskGroup { group in
      for number in 0..<40 {
        let value = home.value("key\(number)", 0, registry: registries[number % 2])
        group.addTask {
          value.set(number + 1)
          try await value.flush()
        }
      }
      try await group.waitForAll()
    }
    let relaunched = ValueRegistry()
    for number in 0..<40 {
      let value = home.value("key\(number)", 0, registry: relaunched)
      #expect(value.wrappedValue == number + 1)
    }
  }

  @Test(arguments: ["", "{", "[1]", "null", #"{"key":1"#, #"{"key":1} x"#, "\u{0}\u{0}"])
  func `a damaged file is kept when another value is set, not when it is read`(_ text: String)
    async throws
  {
    try home.write(text, to: home.file("key"))
    let value = home.value(3, registry: ValueRegistry())
    #expect(value.wrappedValue == 3)
    #expect(value.loadIssue != nil)
    #expect(try home.text() == text)
    value.set(4)
    try await value.flush()
    #expect(try home.text() == "{\n  \"key\" : 4\n}\n")
    #expect(try home.names == ["key.json", "key.json.corrupt"])
    let kept = home.file("key").appendingPathExtension("corrupt")
    #expect(try String(contentsOf: kept, encoding: .utf8) == text)
  }

  @Test func `a damaged file of 0.1.0 is an issue of each value, and stays`() async throws {
    try home.write("{", to: home.formerFile)
    try home.write("{}", to: home.file("other"))
    let value = home.value(3, registry: ValueRegistry())
    #expect(value.wrappedValue == 3)
    #expect(value.loadIssue != nil)
    value.set(4)
    try await value.flush()
    #expect(home.value(3, registry: ValueRegistry()).wrappedValue == 4)
    #expect(try String(contentsOf: home.formerFile, encoding: .utf8) == "{")
  }

  @Test func `a failed write is thrown by flush, keeps the file, and is retried`()
    async throws
  {
    let disk = Disk()
    let registry = disk.registry
    let value = home.value(1, registry: registry)
    let other = home.value("other", 1, registry: registry)
    value.set(2)
    try await value.flush()
    let before = try home.text()
    disk.isFull = true
    value.set(3)
    other.set(3)
    #expect(value.wrappedValue == 3)
    await #expect(throws: FileError.self) { try await value.flush() }
    await #expect(throws: FileError.self) { try await other.flush() }
    #expect((value.lastError as? FileError)?.isOutOfSpace == true)
    #expect(try home.text() == before)
    #expect(try home.names == ["key.json"])
    disk.isFull = false
    try await value.flush()
    #expect(value.lastError == nil)
    #expect(try home.text() == "{\n  \"key\" : 3\n}\n")
    #expect(try home.text("other") == "{\n  \"other\" : 3\n}\n")
  }

  @Test func `a value that cannot be encoded fails alone`() async throws {
    let registry = ValueRegistry()
    let number = home.value("number", 0.5, registry: registry)
    let word = home.value("word", "a", registry: registry)
    number.set(.infinity)
    word.set("b")
    try await word.flush()
    await #expect(throws: EncodingError.self) { try await number.flush() }
    #expect(try home.names == ["word.json"])
    number.set(1.5)
    try await number.flush()
    #expect(home.value("number", 0.5, registry: ValueRegistry()).wrappedValue == 1.5)
  }

  @Test func `a directory that cannot be created is an error of flush`() async throws {
    try Data().write(to: home.storage.url)
    let value = home.value(1, registry: ValueRegistry())
    #expect(value.loadIssue != nil)
    value.set(2)
    await #expect(throws: (any Error).self) { try await value.flush() }
  }

  @Test func `a reader never sees a half-written file`() async throws {
    let value = home.value(String(repeating: "-", count: 100_000), registry: ValueRegistry())
    value.set(String(repeating: "+", count: 100_000))
    try await value.flush()
    let reader = Task { [home] in
      repeat {
        let text = home.value("key", "none", registry: ValueRegistry()).wrappedValue
        #expect(text.utf8.count >= 50_000 && Set(text.utf8).count == 1)
        // The thread is for other tests too.
        await Task.yield()
      } while !Task.isCancelled
    }
    for number in 0..<30 {
      value.set(String(repeating: "\(number % 10)", count: 50_000 + number * 1_000))
      try await value.flush()
    }
    reader.cancel()
    await reader.value
  }

  @Test func `a value is set again after another process has set another`() async throws {
    let one = home.value(0, registry: ValueRegistry())
    one.set(1)
    try await one.flush()
    let other = home.value(0, registry: ValueRegistry())
    other.set(2)
    try await other.flush()
    one.set(1)
    try await one.flush()
    #expect(home.value(0, registry: ValueRegistry()).wrappedValue == 1)
  }

  @Test func `the default place is the state directory of the program`() {
    let expected = StorageDirectory.state(appendingPath: "PantryTests")
    #expect(StorageDirectory.programState().url == expected.url)
  }

  @Test func `a symbolic link in place of a value's file is refused, and stays`() async throws {
    let path = home.file("key").path
    let target = home.directory.path("target")
    try home.write(#"{"key":5}"#, to: home.file("key"))
    try FileManager.default.moveItem(atPath: path, toPath: target)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    let value = home.value(3, registry: ValueRegistry())
    #expect(value.wrappedValue == 3)
    #expect(value.loadIssue?.reason.contains("symbolic link") == true)
    value.set(4)
    await #expect(throws: FileError.self) { try await value.flush() }
    #expect(try home.names == ["key.json"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == #"{"key":5}"#)
  }
}
