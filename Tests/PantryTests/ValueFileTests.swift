import Foundation
import Glibc
import PandaTestSupport
import Synchronization
import Testing

@testable import Pantry

/// The disk as a test wants it.
private final class Disk: Sendable {
  private let full = Mutex(false)
  var isFull: Bool {
    get { full.withLock(\.self) }
    set { full.withLock { $0 = newValue } }
  }
  var registry: ValueRegistry {
    ValueRegistry(now: { Date(timeIntervalSince1970: 1_000_000) }) { [self] change in
      if isFull, case .write(let name) = change {
        throw DiskError(operation: .write, path: name, code: ENOSPC)
      }
    }
  }
}

@Suite struct ValueFileTests {
  let home = ValueHome()

  @Test func `what cannot be decoded reads as the default and stays until another is set`()
    async throws
  {
    let text = #"{ "key" : "not a number", "other":[1,  2.50]}"#
    try home.write(text)
    let registry = ValueRegistry()
    let value = home.value(3, registry: registry)
    #expect(value.wrappedValue == 3)
    let issue = try #require(value.loadIssue)
    #expect(issue.key == CacheKey(verbatim: "key"))
    #expect(issue.reason == "It is not a Int.")
    try await value.flush()
    #expect(try home.text == text)
    value.set(3)
    #expect(value.loadIssue == nil)
    try await value.flush()
    #expect(try home.text == "{\n  \"key\" : 3,\n  \"other\" : [1,  2.50]\n}\n")
  }

  @Test func `other keys keep their text to the letter`() async throws {
    try home.write(
      #"""
      { "big" : 123456789012345678901234567890.10, "a\"}\\" : {"x" : [ "}]\"", {} ] },
        "key":1, "nothing" : null, "slash" : "\/\u00e4" , "ü" : true }
      """#)
    let value = home.value(0, registry: ValueRegistry())
    #expect(value.wrappedValue == 1)
    value.set(2)
    try await value.flush()
    #expect(
      try home.text == #"""
        {
          "big" : 123456789012345678901234567890.10,
          "a\"}\\" : {"x" : [ "}]\"", {} ] },
          "key" : 2,
          "nothing" : null,
          "slash" : "\/\u00e4",
          "ü" : true
        }

        """#)
  }

  @Test func `what another process writes meanwhile survives`() async throws {
    let here = home.value("here", 0, registry: ValueRegistry())
    let there = home.value("there", 0, registry: ValueRegistry())
    here.set(-1)
    try await here.flush()
    for number in 1...20 {
      here.set(number)
      there.set(number)
      try await here.flush()
      try await there.flush()
    }
    #expect(try home.text == "{\n  \"here\" : 20,\n  \"there\" : 20\n}\n")
    here.reset()
    try await here.flush()
    #expect(try home.text == "{\n  \"there\" : 20\n}\n")
  }

  @Test func `two processes that write many keys at once lose none`() async throws {
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
  func `a damaged file is renamed before it is written, not when it is read`(_ text: String)
    async throws
  {
    try home.write(text)
    let registry = Disk().registry
    let value = home.value(3, registry: registry)
    #expect(value.wrappedValue == 3)
    #expect(value.loadIssue != nil)
    #expect(try home.text == text)
    value.set(4)
    try await value.flush()
    #expect(try home.text == "{\n  \"key\" : 4\n}\n")
    let name = "values.json.corrupt-19700112T134640Z"
    #expect(try home.names == ["values.json", name])
    #expect(try String(contentsOf: home.storage.url.appending(path: name), encoding: .utf8) == text)
    // A second one in the same second does not replace the first.
    try home.write("again")
    value.set(5)
    try await value.flush()
    #expect(try home.names == ["values.json", name, name + "-2"])
  }

  @Test func `a failed write is thrown by flush, leaves the file, and is tried again`()
    async throws
  {
    let disk = Disk()
    let registry = disk.registry
    let value = home.value(1, registry: registry)
    let other = home.value("other", 1, registry: registry)
    value.set(2)
    try await value.flush()
    let before = try home.text
    disk.isFull = true
    value.set(3)
    other.set(3)
    #expect(value.wrappedValue == 3)
    await #expect(throws: DiskError.self) { try await value.flush() }
    await #expect(throws: DiskError.self) { try await other.flush() }
    #expect(value.lastError is DiskError)
    #expect(try home.text == before)
    disk.isFull = false
    try await value.flush()
    #expect(value.lastError == nil)
    #expect(try home.text == "{\n  \"key\" : 3,\n  \"other\" : 3\n}\n")
  }

  @Test func `a value that cannot be encoded fails alone`() async throws {
    let registry = ValueRegistry()
    let number = home.value("number", 0.5, registry: registry)
    let word = home.value("word", "a", registry: registry)
    number.set(.infinity)
    word.set("b")
    try await word.flush()
    await #expect(throws: EncodingError.self) { try await number.flush() }
    #expect(try home.text == "{\n  \"word\" : \"b\"\n}\n")
    number.set(1.5)
    try await number.flush()
    #expect(home.value("number", 0.5, registry: ValueRegistry()).wrappedValue == 1.5)
  }

  @Test func `another process that keeps the lock is an error of flush, and no loss`()
    async throws
  {
    let value = home.value(1, registry: ValueRegistry(patience: .milliseconds(20)))
    let folder = try OpenFolder(home.storage)
    let lock = try folder.lock("values.json.lock")
    value.set(2)
    let path = folder.path
    await #expect(throws: StorageError.inUse(path: path)) { try await value.flush() }
    folder.unlock(lock)
    try await value.flush()
    #expect(try home.text == "{\n  \"key\" : 2\n}\n")
  }

  @Test func `no text, however damaged, stops the program`() throws {
    let text = Data(#"{ "a\"" : [1, {"b":"}\\"}], "ü":-1.5e3 , "c" : null }"#.utf8)
    let object = try JSONObjectText(text)
    #expect(object["a\""] == Data(#"[1, {"b":"}\\"}]"#.utf8))
    #expect(object["ü"] == Data("-1.5e3".utf8))
    var whole = 0
    for index in text.indices {
      // To be read or refused; a text that is cut short is always refused.
      #expect(throws: (any Error).self) { try JSONObjectText(text.prefix(index)) }
      for byte in #""\{}[]:, 0x"#.utf8 {
        var damaged = text
        damaged[index] = byte
        if let object = try? JSONObjectText(damaged) {
          whole += 1
          #expect(throws: Never.self) { try JSONObjectText(object.text) }
        }
      }
    }
    #expect(whole > 0)
  }

  @Test func `a directory that cannot be made is an error of flush`() async throws {
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
      } while !Task.isCancelled
    }
    for number in 0..<30 {
      value.set(String(repeating: "\(number % 10)", count: 50_000 + number * 1_000))
      try await value.flush()
    }
    reader.cancel()
    await reader.value
  }

  @Test func `the default place is the state directory of the program`() {
    #expect(StorageDirectory.programState() == .state(appendingPath: "PantryTests"))
  }
}
