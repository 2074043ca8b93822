import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Pantry
@testable import PantryRecovery

/// Each reason to refuse a file before its first row.
@MainActor
@Suite struct FileJudgeTests {
  /// A way to make a file that one judge refuses, of one with a row and without a log.
  struct Refusal: Sendable {
    let name: String
    let fault: Int
    var isReadOnly = false
    let make: @MainActor @Sendable (TemporaryDirectory) async throws -> Void
  }

  /// The first verdict, moment after moment as the opening asks for it.
  private func verdict(
    on file: SQLiteLocation
  ) throws -> (judge: FileJudge, error: StorageError)? {
    let path = file.path
    let unopened =
      try FileJudge.first(on: FileEvidence(path: path, place: file))
      ?? FileJudge.first(on: FileEvidence(path: path, content: file))
      ?? FileJudge.first(on: FileEvidence(path: path, names: file))
    if let unopened { return unopened }
    let database = try Database(path: path, access: file.isReadOnly ? .reading : .writing)
    try database.configure(.noCheckpointOnClose, true)
    let bytes = try FileBytes(of: database)
    let unread =
      try FileJudge.first(on: FileEvidence(path: path, header: bytes, log: bytes))
      ?? FileJudge.first(on: FileEvidence(path: path, replayed: database))
    if let unread { return unread }
    let state = try SQLiteSchema.state(of: database)
    return try FileJudge.first(on: FileEvidence(path: path, tables: state, own: database))
      ?? FileJudge.first(on: FileEvidence(path: path, rows: database))
  }

  @Test func `each judge refuses its file, and opening says why`() async throws {
    #expect(Self.refusals.map(\.name) == FileJudge.all.map(\.name))
    for refusal in Self.refusals {
      let directory = TemporaryDirectory()
      try await directory.engine("Named").write(Data("{}".utf8), key: CacheKey("a"))
      try await directory.leaveLog()
      try await refusal.make(directory)
      let file = SQLiteLocation(
        directory.file.path + (Self.suffixes[refusal.name] ?? ""), isReadOnly: refusal.isReadOnly,
        patience: Database.patience, otherOwner: { refusal.fault == 91 ? .notJoint : nil })
      let isMounted = refusal.name.contains("mounted")
      let found =
        try isMounted
        ? FileJudge.first(on: FileEvidence(path: "/proc", names: file)) : verdict(on: file)
      let verdict = try #require(found, "\(refusal.name)")
      #expect(verdict.judge.name == refusal.name && verdict.judge.fault == refusal.fault)
      if isMounted { continue }
      #expect(throws: verdict.error, "\(refusal.name)") { try file.open().checkBeforeUse() }
    }
  }

  private static func sql(_ sql: String)
    -> @MainActor @Sendable (TemporaryDirectory) async throws -> Void
  {
    {
      try $0.database().execute(sql)
      try await $0.leaveLog()
    }
  }

  /// Puts the beginning of a log with pages of a size beside a file.
  private static func addLog(pageSize: Int, to directory: TemporaryDirectory) throws {
    var log = Data([0x37, 0x7F, 0x06, 0x82, 0, 0, 0, 0, 0, 0, UInt8(pageSize >> 8), 0])
    log.append(Data(count: 32 + 24 + pageSize - log.count))
    try log.write(to: URL(filePath: directory.file.path + "-wal"))
  }

  /// What makes the path of the file one that is refused.
  private static let suffixes = [
    "a path that is not UTF-8": "\0",
    "a name that no database can have": String(repeating: "x", count: 250),
  ]

  static let refusals: [Refusal] = [
    Refusal(name: "a default directory of others", fault: 91) { _ in },
    Refusal(name: "a path that is not UTF-8", fault: 87) { _ in },
    Refusal(name: "a link that leads nowhere", fault: 86) {
      unlink($0.file.path)
      #expect(symlink("pantry.sqlite", $0.file.path) == 0)
    },
    Refusal(name: "a name that no database can have", fault: 87) { _ in },
    Refusal(name: "a directory, pipe or device", fault: 112) {
      #expect(mkfifo($0.file.path + "-shm", 0o600) == 0)
    },
    Refusal(name: "no file to read", fault: 74, isReadOnly: true) { unlink($0.file.path) },
    Refusal(name: "it is empty, and there are backups of it", fault: 72) {
      try await $0.deferredEngine().backUpRows()
      try await $0.leaveLog()
      try Data().write(to: $0.file)
    },
    Refusal(name: "a file mounted by itself", fault: 86) { _ in },
    Refusal(name: "a second name", fault: 52) {
      #expect(link($0.file.path, $0.path("other")) == 0)
    },
    Refusal(name: "only its first bytes are left", fault: 83) {
      try $0.damage { $0 = $0.prefix(50) }
    },
    Refusal(name: "its header is invalid", fault: 83) { try $0.damage { $0[18] = 9 } },
    Refusal(name: "it is empty, and its write-ahead log is not", fault: 43) {
      try Data().write(to: $0.file)
      try addLog(pageSize: 8_192, to: $0)
    },
    Refusal(name: "it was cut short in the middle of a page", fault: 83) {
      try $0.damage { $0 = $0.dropLast(100) }
    },
    Refusal(name: "the write-ahead log beside it belongs to another database", fault: 43) {
      try addLog(pageSize: 4_096, to: $0)
    },
    Refusal(
      name: "it does not match its write-ahead log, as if a backup had been copied over it",
      fault: 75
    ) {
      let former = try Data(contentsOf: $0.file)
      do {
        let database = try $0.database()
        try database.configure(.noCheckpointOnClose, true)
        // The log has the page of the row alone, not that of its key in the index.
        try database.execute("UPDATE item SET key = 'b'; PRAGMA journal_mode = WAL")
        try database.execute("UPDATE item SET data = '[]'")
      }
      try former.write(to: $0.file)
    },
    Refusal(name: "a newer version", fault: 45, make: sql("PRAGMA user_version = 99")),
    Refusal(
      name: "version 0.1.0", fault: 45, make: sql("ALTER TABLE unreferenced RENAME TO reference")),
    Refusal(
      name: "another program", fault: 45, make: sql("DROP TABLE change; PRAGMA application_id = 1")),
    Refusal(
      name: "its header and its tables do not match", fault: 83, make: sql("DROP TABLE change")),
    Refusal(name: "a mark of damage", fault: 85) {
      try await sql("UPDATE namespace SET record = 'x'")($0)
      DamageMark(of: $0.file.path).leave()
    },
    Refusal(name: "an unfinished file to read", fault: 74, isReadOnly: true) {
      try Data().write(to: $0.file)
    },
    Refusal(
      name: "an index with other entries than its table", fault: 83,
      make: sql(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET rootpage = (
          SELECT rootpage FROM sqlite_schema WHERE name = 'reference_attachment')
        WHERE name = 'sqlite_autoindex_item_1'
        """)),
    Refusal(name: "a damaged small table", fault: 83) {
      try $0.damage { data in
        let name = data.firstRange(of: Data("Named".utf8))?.lowerBound ?? 0
        data[name] ^= 1
      }
    },
  ]
}
