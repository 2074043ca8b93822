internal import FoundationEssentials
internal import Glibc

/// The backups beside a database, in the order in which they were made.
///
/// Their names have a number that grows, and the day: `NAME.backup-12-2026-11-22`. The number
/// orders them, since a clock may have been wrong.
struct SQLiteBackups {
  /// A backup of a day.
  struct Daily {
    let path: String
    /// Zero for those of version 0.2.0, whose names have the day only.
    let number: Int
    /// The day, such as 2026-11-22, as the clock said.
    let day: String
  }

  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// The daily ones, the newest first; then those made before an upgrade of the schema.
  var paths: [String] {
    let upgrades = SiblingFiles(path).paths(withSuffix: ".backup-schema-")
      .filter { !$0.hasSuffix(".partial") }
    return daily.reversed().map(\.path) + upgrades.reversed()
  }

  /// The daily ones, the newest last.
  var daily: [Daily] {
    SiblingFiles(path).paths(withSuffix: ".backup-").compactMap(parsed)
      .sorted { ($0.number, $0.day) < ($1.number, $1.day) }
  }

  private func parsed(_ backup: String) -> Daily? {
    let parts = backup.utf8.dropFirst(path.utf8.count + ".backup-".utf8.count)
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 3 || parts.count == 4, parts.suffix(3).map(\.count) == [4, 2, 2],
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let number = parts.count == 3 ? 0 : Int(parts[0])
    else { return nil }
    return Daily(path: backup, number: number, day: parts.suffix(3).joined(separator: "-"))
  }

  /// Copies the rows if they have changed since the newest backup, and that is of another day.
  ///
  /// That of today is replaced if the file has half as many rows again, as a new one soon has.
  ///
  /// - Parameter limit: the number of daily backups that are kept, besides one of a week and one of
  ///   a month.
  /// - Returns: the path of the new backup; nil if none was needed, or if it would leave less than
  ///   its own size free.
  /// - Throws: ``StorageError/damagedFile(path:reason:)`` if the file is damaged; then all backups
  ///   stay.
  func makeIfDue(of database: Database, at date: Date, keeping limit: Int) throws -> String? {
    let former = daily
    let day = DayName(date).day
    let newest = former.last
    if let newest, newest.day == day {
      guard try Self.rowCount(of: database) * 2 >= rowCount(ofBackup: newest.path) * 3
      else { return nil }
    } else if let newest, try Self.state(of: database) == state(ofBackup: newest.path) {
      return nil
    }
    guard let byteCount = try Self.byteCount(of: database),
      SQLiteLogRoom(path: path).freeByteCount >= 2 * byteCount
    else { return nil }
    let made = Daily(
      path: "\(path).backup-\((newest?.number ?? 0) + 1)-\(day)",
      number: (newest?.number ?? 0) + 1, day: day)
    try SQLiteBackup.makeOfRows(of: database, at: made.path)
    for old in BackupSchedule(dailyLimit: limit).superfluous(of: former + [made]) {
      if try !SQLiteLosses(database: database).exist(since: old.path) { unlink(old.path) }
    }
    return made.path
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
