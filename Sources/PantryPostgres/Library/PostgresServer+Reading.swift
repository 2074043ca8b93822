internal import FoundationEssentials
internal import Pantry

extension PostgresServer {
  struct Reading: Sendable {
    var update: StorageUpdate
    var cursor: PostgresCursor
  }

  /// Whether a row was written, or a key removed, by a transaction that a cursor does not contain.
  ///
  /// $2 to $4 are the cursor's: the index finds them however long another transaction stays idle.
  private static let isNew = """
    namespace = $1 AND (xid >= $2 OR xid = ANY ($3)) AND xid <> ALL ($4)
    """

  /// The name of this incarnation of the tables, as an expression.
  ///
  /// A standby cannot read its table; its session is one with it, unless behind a pooler.
  private var incarnation: String {
    guard library.readOnly == .standby else { return PostgresSchema.incarnation }
    return isPooled ? "NULL::bytea" : "'\\x00'::bytea"
  }

  /// Rows of a kind (0 the snapshot, 1 a row, 2 a removed key), id, key, data, snapshot and size;
  /// that of the snapshot has the incarnation as its data, and the bytes of all rows as its size:
  /// of too many it is the only one.
  private var changesQuery: String {
    """
    WITH new AS (SELECT id, key, data FROM pantry.item WHERE \(Self.isNew)),
    total AS (SELECT coalesce(sum(\(PostgresLimits.cost)), 0) AS bytes FROM new)
    SELECT 0, forgotten::text::bigint, NULL::bytea, \(incarnation), pg_current_snapshot(),
      bytes::bigint
    FROM pantry.namespace, total WHERE id = $1
    UNION ALL SELECT 1, id, \(PostgresLimits.key), \(PostgresLimits.data), NULL,
      octet_length(data)
    FROM new, total WHERE bytes <= \(PostgresLimits.rows)
    UNION ALL SELECT 2, NULL, \(PostgresLimits.key), NULL, NULL, NULL
    FROM pantry.removal WHERE \(Self.isNew) AND NOT EXISTS (
      SELECT FROM pantry.item
      WHERE item.namespace = removal.namespace AND item.digest = removal.digest)
    """
  }

  /// The rows of a page after $2, with the snapshot of the reading.
  ///
  /// The first has the bytes of all rows as its size, and their number: of too many bytes it is the
  /// only one.
  private func pageQuery(_ condition: String) -> String {
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
  private func startQuery(_ condition: String) -> String {
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

  /// Reads what others have changed since `cursor`; nil reads everything.
  func changes(in namespace: Int64, since cursor: PostgresCursor?) async throws -> Reading {
    if let command = changesCommand(in: namespace, since: cursor) {
      let rows = try await run([command])[0]
      if let reading = try changes(rows, in: namespace, since: cursor) { return reading }
    }
    let found = try await everything(in: namespace)
    guard found.cursor.incarnation == nil, library.readOnly == nil else { return found }
    // The next reading could not tell whether it is still the same server.
    _ = try await run(PostgresSchema.naming)
    return try await everything(in: namespace)
  }

  private func everything(in namespace: Int64) async throws -> Reading {
    var reading = try await page(in: namespace, after: 0, limit: .max)
    reading.update.isEverything = true
    return reading
  }

  /// The command that reads what others have changed since `cursor`; nil if that takes everything.
  func changesCommand(
    in namespace: Int64, since cursor: PostgresCursor?
  ) -> PostgresConnection.Command? {
    // One of an earlier connection says nothing on this one.
    guard let cursor, cursor.connection == connectionCount, cursor.namespace == namespace,
      namespace != Self.noNamespace
    else { return nil }
    return .init(
      changesQuery, .integer(namespace), .transaction(cursor.snapshot.end),
      .transactions(cursor.snapshot.running), .transactions(cursor.own))
  }

  /// Decodes the rows of ``changesCommand(in:since:)``; nil if everything must be read.
  func changes(
    _ rows: PostgresRows, in namespace: Int64, since cursor: PostgresCursor?
  ) throws -> Reading? {
    let found = try reading(rows, in: namespace, isEverything: false)
    guard let cursor, let name = cursor.incarnation, name == found.cursor.incarnation,
      // Otherwise removals that the cursor does not know were forgotten.
      let head = Self.head(of: rows), cursor.snapshot.contains(UInt64(rows.integer(head, 1))),
      rows.integer(head, 5) <= PostgresLimits.rows
    else { return nil }
    return found
  }

  /// Reads at most `limit` rows after a position, in the order of the positions.
  ///
  /// They come in several answers if they are many or large. The cursor is that of the first: what
  /// changes meanwhile is read again.
  ///
  /// - Parameter digests: those of the keys to read; nil for all.
  func page(
    in namespace: Int64, after position: Int64, limit: Int, of digests: [Data]? = nil
  ) async throws -> Reading {
    let condition = digests == nil ? "" : "AND digest = ANY ($4)"
    var (position, found) = (position, Reading?.none)
    while true {
      let count = min(limit - (found?.update.rows.count ?? 0), Self.rowsInAnswer)
      var values: [PostgresValue] = [
        .integer(namespace), .integer(position), .integer(Int64(count)),
      ]
      if let digests { values.append(.bytesArray(digests)) }
      let rows = try await run([.init(prepared: pageQuery(condition), values: values)])[0]
      var next = try reading(rows, in: namespace, isEverything: false)
      let there = Self.head(of: rows).map { rows.integer($0, 6) } ?? 0
      let isStart = next.update.rows.count < there
      if isStart {
        let start = try await run([.init(startQuery(condition), values: values)])[0]
        next.update.rows = self.rows(start, besides: nil)
      }
      if found == nil { found = next } else { found?.update.rows += next.update.rows }
      guard let last = next.update.rows.last, let all = found?.update.rows.count, all < limit,
        isStart || there == count
      else { return found ?? next }
      position = Int64(last.position)
    }
  }

  /// The number of rows that are asked for at once.
  private static let rowsInAnswer = 16_384

  /// The row with the snapshot, mostly the first: a server may read in parallel.
  private static func head(of rows: PostgresRows) -> Int? {
    (0..<rows.count).first { rows.integer($0, 0) == 0 }
  }

  private func reading(
    _ rows: PostgresRows, in namespace: Int64, isEverything: Bool
  ) throws -> Reading {
    guard let head = Self.head(of: rows),
      let snapshot = rows.bytes(head, 4, PostgresSnapshot.init)
    else { throw PostgresError(.cutOff, "its answer cannot be understood") }
    let removed = (0..<rows.count).filter { rows.integer($0, 0) == 2 }
      .map { rows.bytes($0, 2, CacheKey.init(bytes:)) }
    let update = StorageUpdate(
      rows: self.rows(rows, besides: head), removed: removed, isEverything: isEverything)
    return Reading(
      update: update,
      cursor: PostgresCursor(
        connection: connectionCount,
        incarnation: rows.isNull(head, 3) ? nil : rows.data(head, 3), namespace: namespace,
        snapshot: library.readOnly == .standby ? snapshot.ofStandby : snapshot))
  }

  /// The rows of an answer, in the order of their positions.
  private func rows(_ rows: PostgresRows, besides head: Int?) -> [StorageRow] {
    var found: [StorageRow] = []
    for row in 0..<rows.count where row != head && rows.integer(row, 0) == 1 {
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
