import SystemSupport
import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Pantry

@Suite struct DiskStorageEngineTests {
  let directory = TemporaryDirectory()
  private let noFile = "it is not a file"
  private let noHeader = "it does not begin with a header"

  private func open(_ name: String = "store") throws -> DiskStorageEngine {
    try DiskStorageEngine(directory: StorageDirectory(url: directory.url.appending(path: name)))
  }

  /// Writes notes with these names and returns the directory, which no engine has open.
  private func prepare(_ names: [String]) async throws -> URL {
    let engine = try open("original")
    for name in names {
      try await engine.write(Data("{\"id\":\"\(name)\"}".utf8), key: CacheKey(verbatim: name))
    }
    let copy = directory.url.appending(path: "store")
    try FileManager.default.copyItem(at: directory.url.appending(path: "original"), to: copy)
    return copy
  }

  private func file(_ key: String) -> URL {
    let name = DiskFileName.name(ofItem: ContentDigest(of: Data(key.utf8)))
    return directory.url.appending(path: "store").appending(path: name)
  }

  private func names(_ engine: DiskStorageEngine) async throws -> [String] {
    try await engine.allKeys().map(\.rawValue)
  }

  @Test func `files are 0600 in a directory of 0700, whatever the keys`() async throws {
    let engine = try open()
    let keys = ["..", "../../up", "/tmp/away", "a/b", "nul\0"].map { CacheKey(verbatim: $0) }
    try await engine.write(keys.map { (key: $0, data: Data()) })
    let files = FileManager.default
    let folder = directory.path("store")
    let found = try files.contentsOfDirectory(atPath: folder)
    #expect(found.count { $0.hasSuffix(".item") } == keys.count)
    for name in found {
      let attributes = try files.attributesOfItem(atPath: folder + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    #expect(try files.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    #expect(try files.contentsOfDirectory(atPath: directory.path("")) == ["store"])
  }

  @Test func `a file is a header line and then the data`() async throws {
    _ = try await prepare(["a"])
    let text = try String(contentsOf: file("a"), encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(lines.first?.contains(#""key":"a","pantry":1,"position":0"#) == true)
    #expect(lines.last == #"{"id":"a"}"#)
  }

  @Test func `fault 42: a header of open brackets is damaged, and ends no process`()
    async throws
  {
    _ = try await prepare(["a"])
    try Data((String(repeating: "[", count: 513) + "\n").utf8).write(to: file("a"))
    let engine = try open()
    #expect(try await engine.damage().values.sorted() == ["its header cannot be read"])
  }

  @Test func `fault 42: after the last position of all, items are still stored`() async throws {
    _ = try await prepare(["a"])
    let text = try String(contentsOf: file("a"), encoding: .utf8)
    let last = text.replacing("\"position\":0", with: "\"position\":\((1 << 53) - 1)")
    try Data(last.utf8).write(to: file("a"))
    let engine = try open()
    for name in ["b", "c"] {
      try await engine.write(Data(name.utf8), key: CacheKey(verbatim: name))
    }
    try FileManager.default.copyItem(
      atPath: directory.path("store"), toPath: directory.path("copy"))
    let other = try open("copy")
    #expect(Set(try await names(other)) == ["a", "b", "c"])
    #expect(try await other.damage().isEmpty)
  }

  @Test func `a file without a header is skipped, reported, left alone, and replaced when written`()
    async throws
  {
    _ = try await prepare(["a", "b", "c"])
    try Data("scribble".utf8).write(to: file("b"))
    let engine = try open()
    #expect(try await names(engine) == ["a", "c"])
    let damaged = try await engine.damage()
    #expect(damaged == [file("b").path(percentEncoded: false): noHeader])
    await #expect(throws: StorageError.self) { try await engine.read(key: CacheKey(verbatim: "b")) }
    #expect(try Data(contentsOf: file("b")) == Data("scribble".utf8))
    try await engine.write(Data("new".utf8), key: CacheKey(verbatim: "b"))
    #expect(try await names(engine) == ["a", "c", "b"])
    #expect(try await engine.damage().isEmpty)
  }

  @MainActor
  @Test func `a truncated file is an error that names it, and an issue of the Store`()
    async throws
  {
    _ = try await prepare(["a", "b", "c"])
    let whole = try Data(contentsOf: file("b"))
    try whole.dropLast(4).write(to: file("b"))
    let engine = try open()
    let path = file("b").path(percentEncoded: false)
    let reason = "it holds 6 bytes of data, but its header says 10"
    await #expect(throws: StorageError.damagedFile(path: path, reason: reason)) {
      try await engine.read(key: CacheKey(verbatim: "b"))
    }
    struct Item: Codable, Equatable, Identifiable, Sendable { var id: String }
    let store = try await Store<Item>(storage: engine)
    #expect(store.items.map(\.id) == ["a", "c"])
    #expect(store.loadIssues.map(\.key.rawValue) == ["b"])
    try await store.add(Item(id: "b"))
    #expect(store.items.map(\.id) == ["a", "b", "c"])
    #expect(try await Store<Item>(storage: open()).items == store.items)
  }

  @Test func `files of other programs in the directory are left alone`() async throws {
    let folder = try await prepare(["a"])
    let strangers = ["README", "thesis.new", ".DS_Store", "abc.item"]
    for name in strangers { try Data("theirs".utf8).write(to: folder.appending(path: name)) }
    let directoryLikeItem = file("x")
    try FileManager.default.createDirectory(
      at: directoryLikeItem, withIntermediateDirectories: true)
    let engine = try open()
    #expect(try await names(engine) == ["a"])
    #expect(try await engine.damage().values.sorted() == [noFile])
    await #expect(throws: StorageError.self) {
      try await engine.write(Data(), key: CacheKey(verbatim: "x"))
    }
    try await engine.removeAllData()
    #expect(try await names(engine) == [])
    for name in strangers {
      #expect(try Data(contentsOf: folder.appending(path: name)) == Data("theirs".utf8))
    }
  }

  @Test func `a file that the system refuses to open does not make the storage look empty`()
    async throws
  {
    _ = try await prepare(["a", "b"])
    try FileManager.default.removeItem(at: file("b"))
    try FileManager.default.createSymbolicLink(at: file("b"), withDestinationURL: file("a"))
    let engine = try open()
    #expect(try await names(engine) == ["a"])
    #expect(try await engine.damage().count == 1)
    await #expect(throws: StorageError.self) { try await engine.read(key: CacheKey(verbatim: "b")) }
    for code in [EMFILE, ENFILE, ENOMEM] {
      #expect(!FileError(.open, "", code: code).concernsOneFile)
    }
  }

  @MainActor
  @Test(arguments: ["mode 0", "no header", "a link", "a directory"])
  func `a file that cannot be read is one issue that says why, and hides no other`(
    _ kind: String
  ) async throws {
    let folder = try await prepare(["a", "b", "c"])
    let path = file("b").path(percentEncoded: false)
    var reason = noHeader
    switch kind {
    case "mode 0":
      // Nothing is forbidden to root.
      guard geteuid() != 0 else { return }
      try #require(chmod(path, 0) == 0)
      reason = "permission denied"
    case "no header": try Data("scribble".utf8).write(to: file("b"))
    default:
      try FileManager.default.removeItem(at: file("b"))
      if kind == "a link" {
        try FileManager.default.createSymbolicLink(at: file("b"), withDestinationURL: file("a"))
        reason = "it is a symbolic link, or leads through too many"
      } else {
        try FileManager.default.createDirectory(at: file("b"), withIntermediateDirectories: false)
        reason = noFile
      }
    }
    struct Item: Codable, Equatable, Identifiable, Sendable { var id: String }
    let store = try await Store<Item>(
      storage: DiskStorageEngine(directory: StorageDirectory(url: folder)))
    #expect(store.items.map(\.id) == ["a", "c"])
    #expect(store.loadIssues.map(\.reason) == ["\(path): \(reason)."])
    #expect(try await open().damage().values.sorted() == [reason])
    try await store.add(Item(id: "d"))
    #expect(store.items.map(\.id) == ["a", "c", "d"])
    guard kind != "a directory" else {
      await #expect(throws: StorageError.self) { try await store.add(Item(id: "b")) }
      return
    }
    try await store.add(Item(id: "b"))
    try await eventually("the issue is over") { store.loadIssues.isEmpty }
    #expect(store.items.map(\.id) == ["a", "c", "d", "b"])
    #expect(try await open().damage().isEmpty)
  }

  @Test func `leftover temporary files are removed by the first call`() async throws {
    let folder = try await prepare(["a"])
    let digest = ContentDigest(of: Data("b".utf8))
    let leftovers = [DiskFileName.name(ofTemporary: digest, commit: 7), DiskFileName.newJournal]
    for name in leftovers { try Data("half".utf8).write(to: folder.appending(path: name)) }
    #expect(try await names(open()) == ["a"])
    let found = try FileManager.default.contentsOfDirectory(atPath: directory.path("store"))
    #expect(!leftovers.contains(where: found.contains))
  }

  @Test
  func `a newer version is refused with both versions in the error, and the files are untouched`()
    async throws
  {
    _ = try await prepare(["a", "b"])
    let newer = Data("{\"pantry\":2,\"something\":\"else\"}\n".utf8)
    try newer.write(to: file("a"))
    let engine = try open()
    let path = file("a").path(percentEncoded: false)
    await #expect(throws: StorageError.newerSchema(path: path, version: 2, supported: 1)) {
      try await engine.allKeys()
    }
    await #expect(throws: StorageError.self) { try await engine.removeAllData() }
    #expect(try Data(contentsOf: file("a")) == newer)
    #expect(FileManager.default.fileExists(atPath: file("b").path(percentEncoded: false)))
  }

  @Test func `a damaged journal is an error that names it, never a loss`() async throws {
    let folder = try await prepare(["a"])
    let journal = folder.appending(path: DiskFileName.journal)
    let texts = [
      "scribble", #"{"pantry":1,"commit":1,"write":["../x"],"remove":[]}"#,
      // Foundation's decoder traps on this.
      String(repeating: "[", count: 513),
    ]
    for text in texts {
      try Data(text.utf8).write(to: journal)
      await #expect {
        try await open().allKeys()
      } throws: {
        "\($0)".contains(journal.path(percentEncoded: false))
      }
    }
    try FileManager.default.removeItem(at: journal)
    let engine = try open()
    #expect(try await names(engine) == ["a"])
  }

  @Test func `engines on one directory see the same immediately, whatever the path`() async throws {
    let first = try open()
    let link = directory.url.appending(path: "link")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: directory.url.appending(path: "store"))
    let second = try open("link")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          try await (number % 2 == 0 ? first : second)
            .write(Data("\(number)".utf8), key: CacheKey(verbatim: "\(number)"))
        }
      }
      try await group.waitForAll()
    }
    #expect(try await names(first) == names(second))
    #expect(try await first.keyCount() == 100)
  }

  @Test func `a path that cannot be a directory is an error that names it`() throws {
    try Data().write(to: directory.url.appending(path: "store"))
    #expect { try open() } throws: { "\($0)".contains("/store") }
  }
}
