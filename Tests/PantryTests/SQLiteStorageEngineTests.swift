import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@Suite struct SQLiteStorageEngineTests {
  let directory = TemporaryDirectory()

  @Test func `engines with different namespaces do not see each other's items`() async throws {
    let first = try directory.engine("first")
    let second = try directory.engine("second")
    let key = CacheKey(verbatim: "a")
    try await first.write(Data("1".utf8), key: key)
    try await second.write(Data("2".utf8), key: key)
    #expect(try await first.read(key: key) == Data("1".utf8))
    try await second.removeAllData()
    #expect(try await first.keyCount() == 1)
  }

  @Test func `rows are readable in the sqlite3 shell, and bytes other than text stay blobs`()
    async throws
  {
    let engine = try directory.engine()
    try await engine.write(Data("{\"id\":\"é\"}".utf8), key: CacheKey(verbatim: "text"))
    try await engine.write(Data([0xFF, 0, 1]), key: CacheKey(verbatim: "blob"))
    let database = try directory.database()
    let types = try database.integer(
      """
      SELECT count(*) FROM entry WHERE namespace = 'Note'
        AND typeof(data) = CASE key WHEN 'text' THEN 'text' ELSE 'blob' END
      """)
    #expect(types == 2)
    #expect(try await engine.read(key: CacheKey(verbatim: "blob")) == Data([0xFF, 0, 1]))
  }

  @Test func `another program's file is refused and untouched`() throws {
    let path = directory.path("store/pantry.sqlite")
    try FileManager.default.createDirectory(
      atPath: directory.path("store"), withIntermediateDirectories: true)
    try Database(path: path).execute("CREATE TABLE theirs (x)")
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(throws: StorageError.notAPantryFile(path: path)) { try directory.engine() }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `a file that is not a database is refused and untouched`() throws {
    let path = directory.path("store/pantry.sqlite")
    try FileManager.default.createDirectory(
      atPath: directory.path("store"), withIntermediateDirectories: true)
    let page = Data("<html>not a database</html>".utf8)
    try page.write(to: URL(filePath: path))
    #expect { try directory.engine() } throws: { ($0 as? SQLiteError)?.kind == .notADatabase }
    #expect(try Data(contentsOf: URL(filePath: path)) == page)
  }

  @Test func `a deferred engine throws the reason at each operation until the file opens`()
    async throws
  {
    let blocker = directory.url.appending(path: "store")
    try Data().write(to: blocker)
    let engine = SQLiteStorageEngine.deferred(directory: directory.storage)
    await #expect(throws: StorageError.self) { try await engine.keyCount() }
    await #expect(throws: StorageError.self) { try await engine.write(Data(), key: CacheKey("a")) }
    try FileManager.default.removeItem(at: blocker)
    try await engine.write(Data(), key: CacheKey("a"))
    #expect(try await engine.keyCount() == 1)
  }

  @Test func `errors name the operation and the file, never a value`() async throws {
    let engine = try directory.engine()
    try directory.database().execute(
      "CREATE INDEX refuse ON item (abs(iif(key = 'secret', -9223372036854775807 - 1, 0)))")
    do {
      try await engine.write(Data("secret".utf8), key: CacheKey(verbatim: "secret"))
      Issue.record("the write went through")
    } catch let error as SQLiteError {
      #expect(error.operation == .step)
      #expect(error.description.contains("pantry.sqlite"))
      #expect(!error.description.contains("secret"))
    }
  }

  @Test func `a grown log is copied to the file, without delaying the caller`() async throws {
    let engine = try directory.engine()
    let data = Data.noise(1_000_000, seed: 1)
    for number in 0..<40 { try await engine.write(data, key: CacheKey("\(number)")) }
    let path = directory.path("store/pantry.sqlite")
    try await eventually("the database file holds the rows") {
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      return size > 16_000_000
    }
  }

  @Test func `the log stays short during continuous writes`() async throws {
    let directory = TemporaryDirectory(inMemory: true)
    let engine = try directory.engine()
    let bytes = Data.noise(2_000, seed: 1).base64EncodedData()
    let log = directory.path("store/pantry.sqlite-wal")
    let longest = try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<4 {
        group.addTask {
          var longest = 0
          for number in 0..<2_000 {
            try await engine.write(bytes, key: CacheKey(verbatim: "\(writer) \(number % 20)"))
            let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
            longest = max(longest, size ?? 0)
          }
          return longest
        }
      }
      return try await group.reduce(0, max)
    }
    // Some 30,000 pages of 8 KB were written; the log has 2,000, and those of a few more commits.
    #expect(longest < 25_000_000)
    #expect(try await engine.keyCount() == 80)
  }

  @Test(arguments: 1...8)
  func `a program that exits normally leaves no log behind`(commits: Int) async throws {
    let engine = try directory.engine()
    for number in 1...commits {
      try await engine.write(Data(count: 50_000), key: CacheKey("\(number)"))
    }
    let log = directory.path("store/pantry.sqlite-wal")
    func size() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? -1
    }
    #expect(try size() > 50_000)
    // After some commits, this comes while the log is being extended.
    try await engine.close()
    #expect(!FileManager.default.fileExists(atPath: log))
    #expect(try await engine.keyCount() == commits)
  }

}
