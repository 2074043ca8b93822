import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// What is said where SQLite has a number only.
@MainActor
@Suite struct PlainWordsTests {
  private let directory = TemporaryDirectory()

  /// Runs a probe that keeps notes, in a shell with limits.
  private func lines(_ limits: String) throws -> [String] {
    let probe = try BuildProducts.path(of: "PantryFaultProbe")
    let result = try Subprocess.run(
      [
        "sh", "-ec", #"\#(limits); exec "$0" "$@""#, probe, "sqlite",
        directory.storage.url.path(percentEncoded: false), "0", "6",
      ], environment: ["PATH=/usr/bin:/bin"])
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `too many open files are named`() throws {
    // Enough for the program itself, and not for the file, its log and what is beside it.
    for count in 4...10 {
      let line = try lines("ulimit -n \(count)").first { $0.hasPrefix("refused") }
      guard let line else { continue }
      #expect(line.contains("too many files are open"), "\(count): \(line)")
    }
  }

  @Test func `a file beyond the limit of the process is named`() throws {
    _ = try lines("true")
    let failures = try lines("trap '' XFSZ; ulimit -f 100").filter { $0.hasPrefix("failed") }
    #expect(!failures.isEmpty)
    for line in failures {
      #expect(line.contains("it would be larger than this process may write"), "\(line)")
      #expect(!line.contains("SQLite"), "\(line)")
    }
  }

  /// Names of files, with the reason why each is refused.
  private nonisolated static let names = [
    ("", "\"\" is no file name"), (".", "\".\" is no file name"), ("..", "\"..\" is no file name"),
    (
      String(repeating: "a", count: 251),
      "its name has 251 bytes; with those of the files beside it, at most 247 fit"
    ),
    (
      Array(repeating: String(repeating: "a", count: 240), count: 3).joined(separator: "/"),
      "SQLite takes paths of at most 504"
    ),
  ]

  @Test(arguments: names)
  func `a name that cannot be used is refused in words`(_ name: String, _ reason: String) throws {
    let error = #expect(throws: StorageError.self) {
      try SQLiteStorageEngine(directory: directory.storage, databaseFilename: name)
    }
    #expect(error?.description.contains(reason) == true, "\(error as Any)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: directory.url.path).isEmpty)
  }

  @Test func `an interrupted commit without a log needs writing`() async throws {
    try await Store<Note>(storage: directory.engine()).add(Note.numbered(0..<500))
    try await directory.leaveLog()
    let copy = TemporaryDirectory()
    do {
      let database = try Database(path: directory.file.path)
      // Pages are written before the commit, and the journal is flushed before them.
      try database.execute(
        "PRAGMA cache_size = 1; BEGIN; UPDATE item SET data = data || data || data")
      try FileManager.default.copyItem(at: directory.storage.url, to: copy.storage.url)
    }
    let error = #expect(throws: StorageError.self) { try copy.readOnlyEngine() }
    #expect(
      error
        == .needsWriting(
          path: copy.file.path, reason: "a program ended while it wrote, and left a journal"))
    #expect(try await copy.engine().keyCount() == 500)
  }
}
