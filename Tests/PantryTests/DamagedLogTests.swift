import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// The log of a killed process, with a damaged place or without its end.
@MainActor
@Suite struct DamagedLogTests {
  private static let frame = 24 + 8_192

  /// A file whose log has a commit for each of some notes.
  @MainActor
  private final class Original {
    static let ids = (0..<10).map { "note-\($0)" }
    let log: Data
    private let killed = TemporaryDirectory(inMemory: true)

    /// - Parameter isCopied: whether the file has all that is in the log.
    init(isCopied: Bool = false) async throws {
      let directory = TemporaryDirectory(inMemory: true)
      do {
        let first = try await Store<Note>(storage: directory.engine())
        try await first.add(Note(id: "first"))
      }
      try await directory.leaveLog()
      let store = try await Store<Note>(storage: directory.engine())
      // Each is on a page of its own, and in the index on one that all share.
      for id in Self.ids {
        try await store.add(Note(id: id, text: String(repeating: "x", count: 7_000)))
      }
      if isCopied {
        let database = try Database(path: directory.file.path(percentEncoded: false))
        // SQLite looks for a log with the first read.
        _ = try database.integer("SELECT count(*) FROM item")
        try database.checkpoint()
      }
      try FileManager.default.copyItem(at: directory.storage.url, to: killed.storage.url)
      log = try Data(contentsOf: killed.file.appendingToPath("-wal"))
    }

    /// The numbers of the frames that end a commit, the first frame being 0.
    var commits: [Int] {
      var numbers: [Int] = []
      for number in 0..<(log.count - 32) / DamagedLogTests.frame {
        let start = 32 + number * DamagedLogTests.frame
        guard log[start + 8..<start + 16] == log[16..<24] else { break }
        if log[start + 4..<start + 8].contains(where: { $0 != 0 }) { numbers.append(number) }
      }
      return numbers
    }

    /// A directory as the killed process left it, with another log.
    func left(_ log: Data) throws -> TemporaryDirectory {
      let copy = TemporaryDirectory(inMemory: true)
      try FileManager.default.copyItem(at: killed.storage.url, to: copy.storage.url)
      try log.write(to: copy.file.appendingToPath("-wal"))
      return copy
    }
  }

  @Test func `fault 43: a flipped bit in a log never silently loses a commit`() async throws {
    let original = try await Original()
    let commits = original.commits
    #expect(commits.count == Original.ids.count)
    let last = commits[commits.count - 2]
    var places = [0, 3, 8, 10, 12, 16, 20, 24, 31]
    // The parts of a frame: page, size, salts, checksums, content. Those of the last commit may be
    // missing after a power failure as well.
    for number in [0, 1, last / 2, last - 1, last] {
      places += [3, 7, 8, 15, 16, 23, 24, 124, 5_000].map { 32 + number * Self.frame + $0 }
    }
    for place in places {
      var log = original.log
      log[place] ^= 1
      let directory = try original.left(log)
      let words = Comment(rawValue: "byte \(place) of \(log.count)")
      await #expect(words) {
        try await directory.deferredEngine("Note").allKeys()
      } throws: { SQLiteStorageEngine.reportsDamage($0) }
      let report = try #require(
        try await directory.deferredEngine("Note").recover(at: RecoveryTests.date), words)
      #expect(report.cause == .damaged, words)
      let kept = URL(filePath: report.originalPath + "-wal")
      #expect(try Data(contentsOf: kept) == log, words)
      let keys = try await directory.soundKeys("Note")
      let count = report.count(in: "Note")
      #expect(keys.count == count.recovered && keys.contains("first"), words)
      #expect(keys.count + count.lost >= 1 + Original.ids.count, "\(words): \(keys)")
      #expect(try directory.names.allSatisfy { !$0.contains("recovered") }, words)
    }
  }

  @Test(arguments: [0, 13, 15])
  func `a header torn by a dying process is not damage if the file has all commits`(
    _ place: Int
  ) async throws {
    for isCopied in [true, false] {
      let original = try await Original(isCopied: isCopied)
      var log = original.log
      log[place] ^= 1
      let directory = try original.left(log)
      let engine = directory.deferredEngine("Note")
      if isCopied {
        #expect(try await engine.allKeys().map(\.rawValue) == ["first"] + Original.ids)
        #expect(try await engine.recover(at: RecoveryTests.date) == nil)
      } else {
        await #expect {
          try await engine.allKeys()
        } throws: { SQLiteStorageEngine.reportsDamage($0) }
      }
    }
  }

  @Test func `a wrong frame behind a right header is damage, whatever the file has`() async throws {
    let original = try await Original(isCopied: true)
    for place in [8, 16, 5_000] {
      var log = original.log
      log[32 + 3 * Self.frame + place] ^= 1
      let directory = try original.left(log)
      await #expect {
        try await directory.deferredEngine("Note").allKeys()
      } throws: { SQLiteStorageEngine.reportsDamage($0) }
    }
  }

  @Test func `a zeroed frame is no page of the file`() async throws {
    let original = try await Original(isCopied: true)
    var log = original.log
    log[0] ^= 1
    log.replaceSubrange(32 + Self.frame..<32 + 2 * Self.frame, with: Data(count: Self.frame))
    let directory = try original.left(log)
    await #expect {
      try await directory.deferredEngine("Note").allKeys()
    } throws: { SQLiteStorageEngine.reportsDamage($0) }
  }

  @Test func `a check and a reader detect a damaged log`() async throws {
    let original = try await Original()
    var log = original.log
    log[32 + Self.frame + 4_000] ^= 1
    let directory = try original.left(log)
    let report = try await directory.deferredEngine("Note").check()
    #expect(report.damage?.contains("log") == true)
    #expect {
      try SQLiteLocation("pantry.sqlite", in: directory.storage, isReadOnly: true).open()
    } throws: { SQLiteStorageEngine.reportsDamage($0) }
    #expect(try Data(contentsOf: directory.file.appendingToPath("-wal")) == log)
  }

  @Test(arguments: ["zeroed", "cut", "stale"])
  func `fault 43: a final commit torn by a power failure is not damage`(_ kind: String) async throws
  {
    let original = try await Original()
    let commits = original.commits
    let end = commits[commits.count - 1]
    let start = commits[commits.count - 2] + 1
    try #require(end > start)
    var log = original.log
    let torn = 32 + start * Self.frame..<32 + (start + 1) * Self.frame
    switch kind {
    case "zeroed": log.replaceSubrange(torn, with: Data(count: Self.frame))
    case "cut": log = log.prefix(torn.upperBound - 100)
    default:
      // What a former use of the log left there.
      log.replaceSubrange(torn, with: log[32..<32 + Self.frame])
      log[torn.lowerBound + 8] ^= 0xFF
    }
    let directory = try original.left(log)
    let keys = try await directory.deferredEngine("Note").allKeys().map(\.rawValue)
    #expect(keys == ["first"] + Original.ids.dropLast())
  }
}

extension URL {
  fileprivate func appendingToPath(_ suffix: String) -> URL {
    URL(filePath: path(percentEncoded: false) + suffix)
  }
}
