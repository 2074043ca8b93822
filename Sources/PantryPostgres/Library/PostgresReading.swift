internal import FoundationEssentials
internal import Pantry

/// What was read of a namespace, and the cursor that contains it.
struct PostgresReading: Sendable {
  var update: StorageUpdate
  var cursor: PostgresCursor

  /// Whether a row was written, or a key removed, by a transaction that a cursor does not contain.
  ///
  /// $2 to $4 are the cursor's: the index finds them however long another transaction stays idle.
  private static let isNew = """
    namespace = $1 AND (xid >= $2 OR xid = ANY ($3)) AND xid <> ALL ($4)
    """

  /// Rows of a kind (0 the snapshot, 1 a row, 2 a removed key), id, key, data, snapshot and size;
  /// that of the snapshot has the incarnation as its data, and the bytes of all rows as its size:
  /// of too many it is the only one.
  static func changesQuery(_ incarnation: String) -> String {
    """
    WITH new AS (SELECT id, key, data FROM pantry.item WHERE \(isNew)),
    total AS (SELECT coalesce(sum(\(PostgresLimits.cost)), 0) AS bytes FROM new)
    SELECT 0, forgotten::text::bigint, NULL::bytea, \(incarnation), pg_current_snapshot(),
      bytes::bigint
    FROM pantry.namespace, total WHERE id = $1
    UNION ALL SELECT 1, id, \(PostgresLimits.key), \(PostgresLimits.data), NULL,
      octet_length(data)
    FROM new, total WHERE bytes <= \(PostgresLimits.rows)
    UNION ALL SELECT 2, NULL, \(PostgresLimits.key), NULL, NULL, NULL
    FROM pantry.removal WHERE \(isNew) AND NOT EXISTS (
      SELECT FROM pantry.item
      WHERE item.namespace = removal.namespace AND item.digest = removal.digest)
    """
  }

  /// The rows of a page after $2, with the snapshot of the reading.
  ///
  /// The first has the bytes of all rows as its size, and their number: of too many bytes it is the
  /// only one.
  /// - Parameter condition: which rows, as the rest of a condition.
  static func pageQuery(_ condition: String, _ incarnation: String) -> String {
    let page = "FROM pantry.item WHERE namespace = $1 AND id > $2 \(condition)"
    return """
      WITH total AS (
        SELECT count(*) AS count, coalesce(sum(\(PostgresLimits.cost)), 0)::bigint AS bytes
        FROM (SELECT key, data \(page) ORDER BY id LIMIT $3) AS page)
      SELECT 0, NULL::bigint, NULL::bytea, \(incarnation), pg_current_snapshot(), bytes, count
      FROM total
      UNION ALL
      (SELECT 1, id, \(PostgresLimits.key), \(PostgresLimits.data), NULL, octet_length(data), NULL
      \(page) AND (SELECT bytes FROM total) <= \(PostgresLimits.rows) ORDER BY id LIMIT $3)
      """
  }

  /// The first rows of such a page that are not too many bytes: one at least.
  static func startQuery(_ condition: String) -> String {
    """
    SELECT 1, id, \(PostgresLimits.key), \(PostgresLimits.data), NULL, octet_length(data)
    FROM (
      SELECT id, sum(cost) OVER rows AS bytes, row_number() OVER rows AS place
      FROM (
        SELECT id, \(PostgresLimits.cost) AS cost FROM pantry.item
        WHERE namespace = $1 AND id > $2 \(condition) ORDER BY id LIMIT $3
      ) AS page
      WINDOW rows AS (ORDER BY id)
    ) AS sized
    JOIN pantry.item USING (id)
    WHERE namespace = $1 AND (bytes <= \(PostgresLimits.rows) OR place = 1) ORDER BY id
    """
  }

  /// The row with the snapshot, mostly the first: a server may read in parallel.
  static func head(of rows: PostgresRows) -> Int? {
    (0..<rows.count).first { rows.integer($0, 0) == 0 }
  }

  /// Decodes an answer with the row of a snapshot.
  init(_ rows: PostgresRows, in namespace: Int64, connection: Int, isStandby: Bool) throws {
    guard let head = Self.head(of: rows),
      let snapshot = rows.bytes(head, 4, PostgresSnapshot.init)
    else { throw PostgresError(.cutOff, "its answer cannot be understood") }
    let removed = (0..<rows.count).filter { rows.integer($0, 0) == 2 }
      .map { rows.bytes($0, 2, CacheKey.init(bytes:)) }
    update = StorageUpdate(rows: Self.rows(of: rows), removed: removed)
    cursor = PostgresCursor(
      connection: connection, incarnation: rows.isNull(head, 3) ? nil : rows.data(head, 3),
      namespace: namespace, snapshot: isStandby ? snapshot.ofStandby : snapshot)
  }

  /// The rows of an answer, in the order of their positions.
  static func rows(of rows: PostgresRows) -> [StorageRow] {
    var found: [StorageRow] = []
    for row in 0..<rows.count where rows.integer(row, 0) == 1 {
      let isTooLarge = rows.isNull(row, 3)
      let size = rows.integer(row, 5)
      found.append(
        StorageRow(
          key: rows.bytes(row, 2, CacheKey.init(bytes:)),
          data: isTooLarge ? Data() : rows.data(row, 3), position: Int(rows.integer(row, 1)),
          reason: isTooLarge
            ? PostgresLimits.words("The row", size, limit: PostgresLimits.row) + "." : nil))
    }
    return found.sorted { $0.position < $1.position }
  }
}
