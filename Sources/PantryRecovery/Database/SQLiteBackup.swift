internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

package enum SQLiteBackup {
  /// The path of the backup made before a schema upgrade of the file at `path`.
  package static func path(of path: String, schema: Int64) -> String {
    "\(path).backup-schema-\(schema)"
  }

  /// Copies the whole database, including its log, to `path`, with mode 0600.
  ///
  /// The copy gets its name only when it is complete, checked and on disk; an existing one is
  /// replaced.
  ///
  /// - Returns: the attachments whose bytes are damaged or missing in the copy.
  /// - Throws: ``StorageError/damagedFile(path:reason:)`` if the database or the copy is damaged.
  package static func make(of database: Database, at path: String) throws -> [ContentDigest] {
    try requireSound(database)
    var lost: [ContentDigest] = []
    try create(path) { partial in
      // VACUUM INTO takes an empty file.
      try database.statement("VACUUM INTO ?1").run(.text(partial))
      let copy = try Database(path: partial, access: .readingImmutable)
      try requireSound(copy, copyOf: database)
      lost = try copy.lostAttachments()
    }
    return lost
  }

  /// Throws if SQLite finds damage; the structure of a large file is checked in the time that
  /// reading it takes.
  ///
  /// In a copy, indexes are compared with tables: both are copied apart, so that it shows whether
  /// they differ.
  private static func requireSound(_ file: Database, copyOf original: Database? = nil) throws {
    guard let problem = try file.firstProblem(quickly: original == nil) else { return }
    throw (original ?? file).damage(problem)
  }

  /// Copies all but the bytes of attachments to `path`, with mode 0600.
  ///
  /// The copy is a database of the same schema, in which attachments are empty.
  ///
  /// - Complexity: O(n) in the number of rows; pictures may be gigabytes, and are not read.
  static func makeOfRows(of database: Database, at path: String) throws {
    try requireSound(database)
    try create(path) { partial in
      let copy = try Database(path: partial)
      // The copy is flushed at the end, or discarded.
      try copy.execute(
        "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      try copy.statement("ATTACH ?1 AS source").run(.text(database.path))
      // BEGIN IMMEDIATE would lock the source for writing too
      // (https://sqlite.org/lang_transaction.html); this reads one snapshot of it.
      try copy.execute("BEGIN")
      try copyRows(to: copy)
      try copy.execute("COMMIT")
      try requireSound(copy, copyOf: database)
    }
  }

  /// Copies from the database attached as `source`.
  private static func copyRows(to copy: Database) throws {
    let (tables, others) = try definitions(of: copy)
    for (name, sql) in tables {
      try copy.execute(sql)
      // No other table has a column of bytes.
      let columns =
        name == "attachment" ? "id, digest, byteCount, x'' AS bytes" : "*"
      try copy.execute("INSERT INTO main.\"\(name)\" SELECT \(columns) FROM source.\"\(name)\"")
    }
    // Triggers last: they would fire.
    for sql in others { try copy.execute(sql) }
    for pragma in ["application_id", "user_version"] {
      let value = try copy.integer("PRAGMA source.\(pragma)") ?? 0
      try copy.execute("PRAGMA main.\(pragma) = \(value)")
    }
  }

  private static func definitions(
    of copy: Database
  ) throws -> (tables: [(name: String, sql: String)], others: [String]) {
    let select = try copy.statement(
      """
      SELECT name, type, sql FROM source.sqlite_schema
      WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' ORDER BY type = 'trigger'
      """)
    defer { select.reset() }
    var tables: [(name: String, sql: String)] = []
    var others: [String] = []
    while try select.step() {
      if select.text(1) == "table" {
        tables.append((select.text(0), select.text(2)))
      } else {
        others.append(select.text(2))
      }
    }
    return (tables, others)
  }

  /// Writes a file for its owner only; it gets its name when it is complete and on disk.
  ///
  /// - Parameter write: writes the file under the name that it receives.
  static func create(_ path: String, _ write: (String) throws -> Void) throws {
    let name = FileLocation(path).name
    do {
      let folder = try OpenFolder(parentOf: path)
      let file = try NewFile(name, in: folder, through: name + ".partial")
      try write(path + ".partial")
      try file.finish()
    } catch let error as SQLiteError where error.kind == .full {
      throw StorageError.cannotCreate(path: path, reason: "there is no room for this copy")
    } catch let error as FileError {
      throw StorageError.cannotCreate(path: path, reason: "\(SystemError(code: error.code))")
    }
  }

  /// Flushes the directory, so that the name survives a power failure.
  static func flushDirectory(of path: String) {
    let directory = Descriptors.openDirectory(FileLocation(path).directory)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }
}
