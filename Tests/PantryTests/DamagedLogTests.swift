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

    init() async throws {
      let directory = TemporaryDirectory(inMemory: true)
      do {
        let first = try await Store<Note>(storage: directory.engine())
        try await first.add(Note(id: "first"))
      }
      try await directory.leaveLog()
      let store = try await Store<Note>(storage: directory.engine())
      // A reader keeps an idle program from copying the log, and from beginning it anew.
      let reader = try directory.database()
      try reader.execute("BEGIN")
      _ = try reader.integer("SELECT count(*) FROM item")
      // Each is on a page of its own, and in the index on one that all share.
      for id in Self.ids {
        try await store.add(Note(id: id, text: String(repeating: "x", count: 7_000)))
      }
      try FileManager.default.copyItem(at: directory.storage.url, to: killed.storage.url)
      log = try Data(contentsOf: killed.file.appendingToPath("-wal"))
      try reader.execute("COMMIT")
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

  @Test func `fault 43: a log ends at a flipped bit, and the file is whole`() async throws {
    let original = try await Original()
    let commits = original.commits
    #expect(commits.count == Original.ids.count)
    let last = commits[commits.count - 2]
    // In the header; then in the page, size, salts, checksums and content of frames.
    var places = [(byte: 0, kept: 0), (12, 0), (24, 0)]
    for frame in [0, last / 2, last] {
      let kept = commits.prefix { $0 < frame }.count
      places += [3, 7, 8, 16, 5_000].map { (32 + frame * Self.frame + $0, kept) }
    }
    for (byte, kept) in places {
      var log = original.log
      log[byte] ^= 1
      let directory = try original.left(log)
      let found = Set(try await directory.soundKeys("Note"))
      let ids = Set(["first"] + Original.ids.prefix(kept))
      #expect(found == ids, "byte \(byte) of \(log.count)")
      // As for the recovery of a file that is damaged elsewhere.
      let again = try original.left(log)
      let frames = SQLiteLogFrames(path: again.file.path + "-wal")
      #expect((frames == nil) == (kept == 0), "byte \(byte) of \(log.count)")
    }
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
