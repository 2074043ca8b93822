/// Finds rows that a backup has and the file does not, although no change removed them.
///
/// The log of changes names each row that was removed, by this program or another one: its entry is
/// written in the same transaction.
struct SQLiteLosses {
  let database: Database

  /// Returns whether rows of the backup at `path` are missing without a reason.
  ///
  /// False for a backup that cannot be read, and if the log of changes does not reach back to it:
  /// it has the last 10,000 changes, and restarts in a recovered file.
  func exist(since path: String) throws -> Bool {
    do {
      let backup = try Database(path: path, access: .reading)
      try backup.statement("ATTACH ?1 AS file").run(.text(database.path))
      return try backup.integer(
        """
        WITH reason AS (
          SELECT namespace, key FROM file.change
          WHERE seq > (SELECT coalesce(max(seq), 0) FROM main.change)
        )
        SELECT 1 FROM main.item AS former
        WHERE (SELECT coalesce(max(seq), 0) FROM file.change)
            >= (SELECT coalesce(max(seq), 0) FROM main.change)
          AND (SELECT coalesce(min(seq), 0) FROM file.change)
            <= 1 + (SELECT coalesce(max(seq), 0) FROM main.change)
          AND NOT EXISTS (
            SELECT 1 FROM file.item AS now
            WHERE now.namespace = former.namespace AND now.key = former.key)
          AND (namespace, key) NOT IN (SELECT namespace, key FROM reason WHERE key IS NOT NULL)
          AND namespace NOT IN (SELECT namespace FROM reason WHERE key IS NULL)
        LIMIT 1
        """) == 1
    } catch  where error.kind != .busy {
      return false
    }
  }
}
