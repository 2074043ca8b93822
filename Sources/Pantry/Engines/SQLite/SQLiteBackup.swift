internal import FoundationEssentials
internal import Glibc

/// The copy of a database that is made before its schema is upgraded.
enum SQLiteBackup {
  /// Where the copy of the file at `path` with this schema goes.
  static func path(of path: String, schema: Int64) -> String {
    "\(path).backup-schema-\(schema)"
  }

  /// Copies the whole database, its log included, with mode 0600.
  ///
  /// The copy has its name only when it is complete; one from an earlier attempt is replaced.
  static func make(of database: Database, schema: Int64) throws {
    let path = path(of: database.path, schema: schema)
    let partial = path + ".partial"
    unlink(partial)
    // VACUUM INTO takes an empty file; made here, it is for its owner only.
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StorageError.cannotCreate(path: partial, reason: SystemError(code: errno).description)
    }
    close(descriptor)
    try database.statement("VACUUM INTO ?1").run(.text(partial))
    guard rename(partial, path) == 0 else {
      throw StorageError.cannotCreate(path: path, reason: SystemError(code: errno).description)
    }
  }
}
