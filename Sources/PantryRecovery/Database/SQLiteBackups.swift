package import FoundationEssentials
internal import Glibc

package struct SQLiteBackups {
  private let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// The daily ones, the newest first; then that made before an upgrade of the schema.
  ///
  /// Older ones of upgrades, such as of version 0.1.0, are not read.
  package var paths: [String] {
    let upgrade = SQLiteBackup.path(of: path, schema: SQLiteSchema.formerVersion)
    return daily.reversed() + (FileIdentity.isAbsent(upgrade) ? [] : [upgrade])
  }

  /// The daily ones, such as `NAME.backup-2026-11-22`, the newest last.
  package var daily: [String] {
    FileLocation(path).siblings(withSuffix: ".backup-").filter { backup in
      let day = backup.utf8.dropFirst(path.utf8.count + ".backup-".utf8.count)
      return day.count == 10 && DayName.date(of: String(decoding: day, as: UTF8.self)) != nil
    }
  }

  /// Copies the rows if they have changed since the last backup, and that is of another day.
  ///
  /// That of today is replaced if the file has half as many rows again, as a new one soon has. Of
  /// those beyond `limit` the oldest are removed, and before them those of days to come, which a
  /// wrong clock has dated; none that has rows which the file lost.
  ///
  /// - Returns: the path of the new backup; nil if none was needed, or if it would leave less than
  ///   its own size free.
  /// - Throws: ``StorageError/damagedFile(path:reason:)`` if the file is damaged; then all backups
  ///   stay.
  package func makeIfDue(
    of database: Database, at date: Date, keeping limit: Int
  ) throws -> String? {
    let made = "\(path).backup-\(DayName(date).day)"
    let former = daily
    if former.contains(made) {
      guard try Self.rowCount(of: database) * 2 >= rowCount(ofBackup: made) * 3 else { return nil }
    } else {
      let state = try Self.state(of: database)
      if former.contains(where: { self.state(ofBackup: $0) == state }) { return nil }
    }
    guard let byteCount = try Self.byteCount(of: database),
      ProcessContext.current.services.freeByteCount(at: path) >= 2 * byteCount
    else { return nil }
    try SQLiteBackup.makeOfRows(of: database, at: made)
    let oldest = former.filter { $0 > made } + former.filter { $0 < made }
    for old in oldest.prefix(max(0, oldest.count + 1 - limit))
    where try !SQLiteLosses(database: database).exist(since: old) {
      unlink(old)
    }
    return made
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
    try? Self.state(of: Database(path: path, access: .readingImmutable))
  }

  private static func rowCount(of database: Database) throws -> Int64 {
    try database.integer("SELECT count(*) FROM item") ?? 0
  }

  /// Zero if the backup cannot be read.
  private func rowCount(ofBackup path: String) -> Int64 {
    // An unreadable backup is one more reason for a new one.
    (try? Self.rowCount(of: Database(path: path, access: .readingImmutable))) ?? 0
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
