internal import FoundationEssentials
internal import Glibc

/// The backups beside a database, by the day on which they were made.
struct SQLiteBackups {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// The daily ones, the newest first; then those made before an upgrade of the schema.
  var paths: [String] {
    let all = SiblingFiles(path).paths(withSuffix: ".backup-").filter { !$0.hasSuffix(".partial") }
    let upgrades = all.filter { $0.dropFirst(path.utf8.count).hasPrefix(".backup-schema-") }
    return daily(all).reversed() + upgrades.reversed()
  }

  /// Copies the rows if they have changed since the newest backup, and that is of an earlier day.
  ///
  /// That of today is replaced if the file has half as many rows again, as a new one soon has.
  ///
  /// - Parameter limit: the number of backups that are kept.
  /// - Returns: the path of the new backup; nil if none was needed, or if it would leave less than
  ///   its own size free.
  func makeIfDue(of database: Database, at date: Date, keeping limit: Int) throws -> String? {
    let name = "\(path).backup-\(DayName(date).day)"
    // With a clock that was set back, there may be a later one.
    if let newest, newest >= name {
      guard newest == name,
        try Self.rowCount(of: database) * 2 >= rowCount(ofBackup: newest) * 3
      else { return nil }
    } else if let newest, try Self.state(of: database) == state(ofBackup: newest) {
      return nil
    }
    guard let byteCount = try Self.byteCount(of: database),
      SQLiteLogRoom(path: path).freeByteCount >= 2 * byteCount
    else { return nil }
    try SQLiteBackup.makeOfRows(of: database, at: name)
    for old in daily(SiblingFiles(path).paths(withSuffix: ".backup-")).dropLast(limit) {
      unlink(old)
    }
    return name
  }

  private var newest: String? { daily(SiblingFiles(path).paths(withSuffix: ".backup-")).last }

  /// Those whose names end with a day.
  private func daily(_ paths: [String]) -> [String] {
    paths.filter { path in
      let day = path.dropFirst(self.path.count + ".backup-".count)
      return day.utf8.count == 10
        && day.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
    }
  }

  /// The counters that each change of a row advances.
  private static func state(of database: Database) throws -> String {
    let select = try database.statement(
      """
      SELECT group_concat(id || ' ' || lastItem || ' ' || coalesce((
          SELECT max(item.id) FROM item
          WHERE item.id > namespace.id << 40 AND item.id < (namespace.id + 1) << 40), 0))
        || ' ' || coalesce((SELECT max(seq) FROM change), 0)
      FROM namespace
      """)
    defer { select.reset() }
    return try select.step() ? select.text(0) : ""
  }

  /// Nil if the backup cannot be read.
  private func state(ofBackup path: String) -> String? {
    // An unreadable backup is one more reason for a new one.
    try? Self.state(of: Database(path: path, access: .readingImmutable))  // see above
  }

  private static func rowCount(of database: Database) throws -> Int64 {
    try database.integer("SELECT count(*) FROM item") ?? 0
  }

  /// Zero if the backup cannot be read.
  private func rowCount(ofBackup path: String) -> Int64 {
    // An unreadable backup is one more reason for a new one.
    (try? Self.rowCount(of: Database(path: path, access: .readingImmutable))) ?? 0  // see above
  }

  /// About how large a copy of the rows is; nil if there are none.
  private static func byteCount(of database: Database) throws -> Int? {
    let select = try database.statement(
      """
      SELECT count(*), coalesce(sum(length(data) + 2 * length(key)), 0),
        (SELECT count(*) FROM item_attachment)
      FROM item
      """)
    defer { select.reset() }
    guard try select.step(), select.integer(0) > 0 else { return nil }
    return Int(select.integer(0) * 100 + select.integer(1) + select.integer(2) * 150) + 200_000
  }
}
