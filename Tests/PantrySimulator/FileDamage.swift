import CPantrySQLite
import Glibc
@testable import Pantry

/// Damage to a page of a file that no program has open.
struct FileDamage: Hashable {
  enum Kind: String, CaseIterable { case zeros, garbage, cutOff }

  var kind: Kind
  /// The page before it, unless the last is cut off; modulo their number.
  var page: Int
  /// Chooses the bytes of garbage.
  var seed: UInt64
  /// The number of calls to the disk after which the first recovery is killed; nil for none.
  var callsToKill: Int?
}

extension FileDamage {
  init(_ random: inout RandomStream) {
    kind = random.pick(Kind.allCases)
    // Two of the first pages have the rows and the index of their keys.
    page = random.oneIn(2) ? 3 + random.below(2) : random.below(64)
    seed = random.next()
    callsToKill = random.oneIn(3) ? random.below(random.pick([20, 200])) : nil
  }

  /// A damaged page.
  struct Page {
    var rows: Set<StoredRow> = []
    /// Whether it is the first, without which the pages of removed rows look like the others.
    var isFirst = false

    func has(_ namespace: String, _ key: String) -> Bool {
      rows.contains { $0.namespace == namespace && $0.key == key }
    }
  }

  /// Damages the file at `path`.
  func strike(_ path: String) throws(Violation) -> Page {
    let pageSize = 8_192
    var bytes = FileContent.read(path)
    let count = bytes.count / pageSize
    guard count > 0 else { return Page() }
    var random = RandomStream(seed: seed)
    let start = (kind == .cutOff ? count - 1 : page % count) * pageSize
    let range = start..<start + pageSize
    Scheduler.current.trace.note("page \(start / pageSize + 1) of \(count) is damaged")
    let content = bytes[range]
    let lying = try StoredRow.all(in: path).filter { row in
      content.indices.contains { content[$0...].starts(with: row.data) }
    }
    switch kind {
    case .zeros: bytes.replaceSubrange(range, with: repeatElement(0, count: pageSize))
    case .garbage:
      bytes.replaceSubrange(range, with: range.map { _ in UInt8(random.below(256)) })
    case .cutOff: bytes.removeSubrange(range)
    }
    FileContent.write(bytes, to: path)
    return Page(rows: Set(lying), isFirst: start == 0)
  }
}

extension FileDamage: CustomStringConvertible {
  var description: String {
    "page \(page) damaged by \(kind)"
      + (callsToKill.map { ", recovery killed after \($0) calls" } ?? "")
  }
}

/// A row of the file as SQLite has it, without Pantry.
struct StoredRow: Hashable {
  let namespace: String
  let key: String
  let data: [UInt8]

  static func all(in path: String) throws(Violation) -> [StoredRow] {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close_v2(database)
    }
    let sql = """
      SELECT namespace.name, item.key, item.data
      FROM item JOIN namespace ON namespace.id = item.namespace
      """
    guard sqlite3_open_v2(path, &database, pantry_sqlite3_open_read_write, nil) == 0,
      sqlite3_prepare_v2(database, sql, -1, &statement, nil) == 0
    else { throw Violation("the rows cannot be read") }
    var rows: [StoredRow] = []
    while sqlite3_step(statement) == pantry_sqlite3_row {
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(statement, 2), count: Int(sqlite3_column_bytes(statement, 2)))
      rows.append(
        StoredRow(
          namespace: String(cString: sqlite3_column_text(statement, 0)),
          key: String(cString: sqlite3_column_text(statement, 1)), data: Array(bytes)))
    }
    return rows
  }
}

/// Whole files.
enum FileContent {
  static func read(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    return Glibc.read(descriptor, &bytes, bytes.count) == bytes.count ? bytes : []
  }

  static func write(_ bytes: [UInt8], to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }

  /// Lets the file be one that was written to long ago, by the real clock, which recovery asks for.
  static func age(_ path: String) {
    var times = [timespec(), timespec()]
    clock_gettime(CLOCK_REALTIME, &times[0])
    times[0].tv_sec -= 3_600
    times[1] = times[0]
    utimensat(AT_FDCWD, path, times, 0)
  }
}
