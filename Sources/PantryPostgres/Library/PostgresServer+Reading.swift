internal import FoundationEssentials
internal import Pantry

extension PostgresServer {
  /// The name of this incarnation of the tables, as an expression.
  ///
  /// A standby cannot read its table; its session is one with it, unless behind a pooler.
  private var incarnation: String {
    guard library.readOnly == .standby else { return PostgresSchema.incarnation }
    return isPooled ? "NULL::bytea" : "'\\x00'::bytea"
  }

  /// Reads what others have changed since `cursor`; nil reads everything.
  func changes(in namespace: Int64, since cursor: PostgresCursor?) async throws -> PostgresReading {
    if let command = changesCommand(in: namespace, since: cursor) {
      let rows = try await run([command])[0]
      if let reading = try changes(rows, in: namespace, since: cursor) { return reading }
    }
    var found = try await everything(in: namespace)
    // For those who may only read: there was nothing, and there is nothing.
    if namespace == Self.noNamespace, cursor?.namespace == namespace {
      found.update.isEverything = false
    }
    guard found.cursor.incarnation == nil, library.readOnly == nil else { return found }
    // The next reading could not tell whether it is still the same server.
    _ = try await run(PostgresSchema.naming)
    return try await everything(in: namespace)
  }

  private func everything(in namespace: Int64) async throws -> PostgresReading {
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
      PostgresReading.changesQuery(incarnation), .integer(namespace),
      .transaction(cursor.snapshot.end),
      .transactions(cursor.snapshot.running), .transactions(cursor.own))
  }

  /// Decodes the rows of ``changesCommand(in:since:)``; nil if everything must be read.
  func changes(
    _ rows: PostgresRows, in namespace: Int64, since cursor: PostgresCursor?
  ) throws -> PostgresReading? {
    let found = try reading(rows, in: namespace)
    guard let cursor, let name = cursor.incarnation, name == found.cursor.incarnation,
      // Otherwise removals that the cursor does not know were forgotten.
      let head = PostgresReading.head(of: rows),
      cursor.snapshot.contains(UInt64(rows.integer(head, 1))),
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
  ) async throws -> PostgresReading {
    let condition = digests == nil ? "" : "AND digest = ANY ($4)"
    var (position, found) = (position, PostgresReading?.none)
    while true {
      let count = min(limit - (found?.update.rows.count ?? 0), Self.rowsInAnswer)
      var values: [PostgresValue] = [
        .integer(namespace), .integer(position), .integer(Int64(count)),
      ]
      if let digests { values.append(.bytesArray(digests)) }
      let query = PostgresReading.pageQuery(condition, incarnation)
      let rows = try await run([.init(prepared: query, values: values)])[0]
      var next = try reading(rows, in: namespace)
      let there = PostgresReading.head(of: rows).map { rows.integer($0, 6) } ?? 0
      let isStart = next.update.rows.count < there
      if isStart {
        let query = PostgresReading.startQuery(condition)
        let start = try await run([.init(query, values: values)])[0]
        next.update.rows = PostgresReading.rows(of: start)
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

  private func reading(_ rows: PostgresRows, in namespace: Int64) throws -> PostgresReading {
    try PostgresReading(
      rows, in: namespace, connection: connectionCount, isStandby: library.readOnly == .standby)
  }
}
