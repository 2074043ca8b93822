/// Finds rows that a backup has and the file does not, although no change removed them.
///
/// The log of changes names each row that was removed, by this program or another one: its entry is
/// written in the same transaction.
struct SQLiteLosses {
  let database: Database

  /// Returns whether rows of the backup at `path` are missing without a reason.
  ///
  /// False for a backup that cannot be read, and if the log of changes does not reach back to it:
  /// it has the last 10,000 changes, and begins anew in a recovered file.
  func exist(since path: String) throws -> Bool {
    do {
      let backup = try Database(path: path, access: .readingImmutable)
      let last = try backup.integer("SELECT max(seq) FROM change") ?? 0
      let rows = try backup.statement("SELECT namespace, key FROM item")
      defer { rows.reset() }
      return try database.read { try lacks(rows, since: last) }
    } catch let error as SQLiteError where error.path == path {
      return false
    }
  }

  private func lacks(_ rows: Statement, since last: Int64) throws -> Bool {
    let newest = try database.integer("SELECT max(seq) FROM change") ?? 0
    let oldest = try database.integer("SELECT min(seq) FROM change") ?? 0
    guard newest >= last, oldest <= last + 1 else { return false }
    let reasons = try Reasons(since: last, in: database)
    let find = try database.statement("SELECT 1 FROM item WHERE namespace = ?1 AND key = ?2")
    while try rows.step() {
      let name = Name(namespace: rows.integer(0), key: CacheKey(verbatim: rows.text(1)))
      try find.bind(.integer(name.namespace), .text(name.key.rawValue))
      let isThere = try find.step()
      find.reset()
      if !isThere, !reasons.explain(name) { return true }
    }
    return false
  }

  private struct Name: Hashable {
    let namespace: Int64
    let key: CacheKey
  }

  /// The rows that were changed or removed since an entry of the log.
  private struct Reasons {
    private var names: Set<Name> = []
    /// Namespaces of which any row may have been removed.
    private var namespaces: Set<Int64> = []

    init(since last: Int64, in database: Database) throws {
      let changes = try database.statement("SELECT namespace, key FROM change WHERE seq > ?1")
      defer { changes.reset() }
      try changes.bind(.integer(last))
      while try changes.step() {
        if changes.isNull(1) {
          namespaces.insert(changes.integer(0))
        } else {
          names.insert(
            Name(namespace: changes.integer(0), key: CacheKey(verbatim: changes.text(1))))
        }
      }
    }

    func explain(_ name: Name) -> Bool {
      namespaces.contains(name.namespace) || names.contains(name)
    }
  }
}
