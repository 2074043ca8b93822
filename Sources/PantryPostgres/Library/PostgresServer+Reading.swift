internal import FoundationEssentials
internal import Pantry

extension PostgresServer {
  /// The result of reading changes.
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
  /// A standby cannot read its table; its session is one with it, unless a pooler is between.
  private var incarnation: String {
    guard library.readOnly == .standby else { return PostgresSchema.incarnation }
    return isPooled ? "NULL::bytea" : "'\\x00'::bytea"
  }

  /// Rows of a kind (0 the snapshot, 1 a row, 2 a removed key), id, key, data, snapshot; that of
  /// the snapshot has the incarnation as its data.
  private var changesQuery: String {
    """
    SELECT 0, forgotten::text::bigint, NULL::bytea, \(incarnation),
      pg_current_snapshot()
    FROM pantry.namespace WHERE id = $1
    UNION ALL SELECT 1, id, key, data, NULL FROM pantry.item WHERE \(Self.isNew)
    UNION ALL SELECT 2, NULL, key, NULL, NULL FROM pantry.removal WHERE \(Self.isNew) AND NOT EXISTS (
      SELECT FROM pantry.item
      WHERE item.namespace = removal.namespace AND item.digest = removal.digest)
    """
  }

  private var everythingQuery: String {
    """
    SELECT 0, NULL::bigint, NULL::bytea, \(incarnation), pg_current_snapshot()
    UNION ALL
    (SELECT 1, id, key, data, NULL FROM pantry.item WHERE namespace = $1 ORDER BY id)
    """
  }

  /// The rows of a page after $2, with the snapshot of the reading.
  private var pageQuery: String {
    """
    SELECT 0, NULL::bigint, NULL::bytea, \(incarnation), pg_current_snapshot()
    UNION ALL
    (SELECT 1, id, key, data, NULL FROM pantry.item
    WHERE namespace = $1 AND id > $2 ORDER BY id LIMIT $3)
    """
  }

  /// Reads what others have changed since `cursor`; nil reads everything.
  func changes(in namespace: Int64, since cursor: PostgresCursor?) async throws -> Reading {
    if let command = changesCommand(in: namespace, since: cursor) {
      let rows = try await run([command])[0]
      if let reading = try changes(rows, in: namespace, since: cursor) { return reading }
    }
    let rows = try await run(everythingQuery, .integer(namespace))
    let found = try reading(rows, in: namespace, isEverything: true)
    guard found.cursor.incarnation == nil, library.readOnly == nil else { return found }
    // The next reading could not tell whether it is still the same server.
    let named = try await run([
      .init(PostgresSchema.naming), .init(everythingQuery, .integer(namespace)),
    ])
    return try reading(named[1], in: namespace, isEverything: true)
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
      let head = Self.head(of: rows), cursor.snapshot.contains(UInt64(rows.integer(head, 1)))
    else { return nil }
    return found
  }

  /// Reads at most `limit` rows after a position, in the order of the positions.
  func page(
    in namespace: Int64, after position: Int64, limit: Int
  ) async throws -> Reading {
    let rows = try await run(
      pageQuery, .integer(namespace), .integer(position), .integer(Int64(limit)))
    return try reading(rows, in: namespace, isEverything: false)
  }

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
    var update = StorageUpdate(isEverything: isEverything)
    for row in 0..<rows.count where row != head {
      let key = rows.bytes(row, 2, CacheKey.init(bytes:))
      if rows.integer(row, 0) == 1 {
        update.rows.append(
          StorageRow(key: key, data: rows.data(row, 3), position: Int(rows.integer(row, 1))))
      } else {
        update.removed.append(key)
      }
    }
    update.rows.sort { $0.position < $1.position }
    return Reading(
      update: update,
      cursor: PostgresCursor(
        connection: connectionCount,
        incarnation: rows.isNull(head, 3) ? nil : rows.data(head, 3), namespace: namespace,
        snapshot: snapshot))
  }
}
