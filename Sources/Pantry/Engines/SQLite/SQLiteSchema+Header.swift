/// Tells a damaged header from that of another program or of a newer version.
extension SQLiteSchema {
  /// Returns the version whose tables a database has; nil if they are not Pantry's.
  static func versionByTables(_ database: Database) throws -> Int64? {
    let select = try database.statement("SELECT name FROM sqlite_schema WHERE type = 'table'")
    var names: Set<String> = []
    while try select.step() { names.insert(select.text(0)) }
    select.reset()
    guard names.isSuperset(of: ["namespace", "item", "attachment"]) else { return nil }
    if names.contains("item_attachment") { return try hasColumns(database) ? 5 : nil }
    guard names.contains("reference") else { return nil }
    if names.contains("unreferenced") { return 4 }
    guard names.contains("change") else { return 1 }
    let types = "SELECT count(*) FROM pragma_table_info('namespace') WHERE name = 'type'"
    return try database.integer(types) == 1 ? 3 : 2
  }

  /// Returns whether there are all columns of the current version: one may have a damaged name.
  private static func hasColumns(_ database: Database) throws -> Bool {
    do {
      _ = try database.statement(
        """
        SELECT id, name, type, lastItem, 0, 0 FROM namespace
        UNION ALL SELECT id, namespace, key, data, createdAt, updatedAt FROM item
        UNION ALL SELECT id, digest, byteCount, bytes, 0, 0 FROM attachment
        UNION ALL SELECT item, attachment, 0, 0, 0, 0 FROM item_attachment
        UNION ALL SELECT seq, namespace, key, 0, 0, 0 FROM change
        UNION ALL SELECT attachment, 0, 0, 0, 0, 0 FROM unreferenced
        """)
      return true
    } catch {
      // SQLITE_ERROR: "no such column".
      guard error.code.rawValue == 1 else { throw error }
      return false
    }
  }

  /// Returns the error for a file whose header names another program or a newer version.
  ///
  /// A flipped bit can make it do so. The tables tell: each version has its own, and another
  /// program has none of Pantry's. In a file that is damaged elsewhere too, a backup with the right
  /// mark beside it tells.
  ///
  /// - Parameters:
  ///   - application: the `application_id` of the header.
  ///   - found: the version in the header.
  ///   - tables: the version by the tables.
  func refusal(
    of database: Database, application: Int64, version found: Int64, tables: Int64?
  ) throws -> StorageError {
    let path = database.path
    let isNewer = application == Self.applicationID && found > version
    let isOneBitOff =
      tables != nil
      && (isNewer
        // The next versions may come before this program knows of them.
        ? found > version + 2 && Self.differInOneBit(found, version)
        : Self.differInOneBit(application, Self.applicationID) || application == Self.applicationID)
    if try isOneBitOff || hasBackup(beside: path) && isDamaged(database) {
      return .damagedFile(path: path, reason: "its header is damaged")
    }
    return isNewer
      ? .newerSchema(path: path, version: Int(found), supported: Int(version))
      : .notAPantryFile(path: path)
  }

  private func isDamaged(_ database: Database) throws -> Bool {
    do {
      return try database.firstProblem() != nil
    } catch {
      guard error.code == .corrupt || error.code == .notADatabase else { throw error }
      return true
    }
  }

  private static func differInOneBit(_ one: Int64, _ other: Int64) -> Bool {
    (UInt32(truncatingIfNeeded: one) ^ UInt32(truncatingIfNeeded: other)).nonzeroBitCount == 1
  }

  /// Whether there is a backup of Pantry's beside a file.
  private func hasBackup(beside path: String) -> Bool {
    SQLiteBackups(path).paths.contains { backup in
      // One that cannot be read says nothing.
      let database = try? Database(path: backup, access: .readingImmutable)  // see above
      let mark = try? database?.integer("PRAGMA application_id")  // see above
      return mark == Self.applicationID
    }
  }
}
