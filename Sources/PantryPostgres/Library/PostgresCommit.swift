internal import FoundationEssentials
internal import Pantry

/// One transaction on a server, in one or several namespaces.
struct PostgresCommit: Sendable {
  /// The part of a transaction in one namespace.
  struct Part: Sendable {
    let namespace: String
    var change: NetChange
    let basis: ReadSet
    /// The follower's cursor; nil if the changes of others are not needed.
    let cursor: PostgresCursor?
    /// The follower that commits; nil if the changes of others are not needed.
    let follower: StorageFollower?
    /// Judges the rows that are overwritten or removed: the server does, by their versions.
    var rowGuard: RowGuard?
    /// Makes the change anew if others have changed the basis; nil writes nothing then.
    var again: (@Sendable (StorageUpdate) throws -> [StorageChange])?

    var follows: Bool { follower != nil }
  }

  struct Outcome: Sendable {
    var updates: [StorageUpdate]
    /// Nil if nothing was written.
    var positions: [[Int?]]?
    /// The new cursors; nil where the former one still holds.
    var cursors: [PostgresCursor?]
  }

  private(set) var parts: [Part]

  init(_ parts: [Part]) { self.parts = parts }

  /// The maximum number of attempts of a transaction that conflicts with others.
  private static let attempts = 20

  /// Applies changes as one transaction, unless others have changed a basis.
  ///
  /// That takes one round trip, and another one before it if there is a basis.
  func run(on server: PostgresServer) async throws -> Outcome {
    try await server.inTurn { server in
      try await server.requireWriting()
      var attempts = 1
      var hasReconnected = false
      while true {
        do {
          var attempt = self
          return try await attempt.tryOnce(on: server)
        } catch let error as PostgresError where error.isConflict && attempts < Self.attempts {
          attempts += 1
          try await Task.sleep(for: .milliseconds(Int.random(in: 0...(1 << min(attempts, 7)))))
        } catch let error as PostgresError where error.isClosedClient && attempts < Self.attempts {
          attempts += 1
          server.client = nil
        } catch let error as PostgresError where error.kind == .cutOff && !hasReconnected {
          // Nothing was committed: an idle connection had been lost unnoticed.
          hasReconnected = true
          try await server.connectIfNeeded()
          try await server.requireWriting()
        } catch let error as PostgresError where error.isReadOnlySession && !hasReconnected {
          // A pooler has gone on with a standby.
          hasReconnected = true
          try await server.requireWriting(again: true)
        }
      }
    }
  }

  private mutating func tryOnce(on server: isolated PostgresServer) async throws -> Outcome {
    var namespaces: [Int64] = []
    for part in parts { namespaces.append(try await server.namespace(part.namespace)) }
    let client = try await server.ownClient()
    var outcome = Outcome(
      updates: parts.map { _ in StorageUpdate() }, positions: [], cursors: parts.map { _ in nil })
    // Reads after a lock must see the state at that moment, whatever the role's default.
    var batch = [PostgresConnection.Command("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")]
    batch += locks(namespaces)
    var known: [Int: Set<Data>] = [:]
    do {
      if !parts.allSatisfy(\.basis.isNothing) {
        let basis = try await readBasis(on: server, namespaces, after: batch)
        batch = []
        known = basis.known
        var isConflict = false
        for (index, reading) in basis.readings {
          outcome.updates[index] = reading.update
          outcome.cursors[index] = reading.cursor
          guard reading.update.concerns(parts[index].basis) else { continue }
          if let again = parts[index].again {
            parts[index].change = NetChange(try again(reading.update))
          } else {
            isConflict = true
          }
        }
        guard !isConflict else {
          _ = try await server.run("ROLLBACK")
          outcome.positions = nil
          return outcome
        }
      }
      batch.append(client.next)
      let written = try await write(
        on: server, namespaces, known: known, as: client, after: batch)
      outcome.positions = written.positions
      for (index, part) in parts.enumerated() where part.follows {
        var cursor = outcome.cursors[index] ?? part.cursor
        // A row that was overwritten may be another's, which the follower does not know yet: its
        // next reading has it again, with its position.
        if let transaction = written.transaction {
          if !written.hasOverwritten {
            cursor?.own.append(transaction)
          } else if cursor?.snapshot.contains(transaction) == true {
            // A snapshot of the transaction itself does not name it among those that run.
            cursor?.snapshot.running.append(transaction)
          }
        }
        outcome.cursors[index] = cursor
      }
      server.notify(of: parts, hasOverwritten: written.hasOverwritten)
      return outcome
    } catch {
      // The connection may be gone, and the transaction with it.
      _ = try? await server.run("ROLLBACK")
      throw error
    }
  }

  /// The locks of a transaction, in an order in which two cannot wait for each other.
  ///
  /// Every transaction takes the lock of its namespace, and most share it. A transaction that
  /// depends on more than the rows it locks takes it alone, so that nothing changes between its
  /// reading and its commit.
  private func locks(_ namespaces: [Int64]) -> [PostgresConnection.Command] {
    let order = namespaces.indices.sorted { namespaces[$0] < namespaces[$1] }
    return order.map { index in
      let lock = "pg_advisory_xact_lock\(parts[index].isAlone ? "" : "_shared")"
      return .init(
        prepared: "SELECT \(lock)($1, $2)", .shortInteger(PostgresSchema.lockClass),
        .shortInteger(Int32(truncatingIfNeeded: namespaces[index])))
    }
  }

  /// Locks the rows that parts depend on, and reads what others have changed, in one round trip.
  ///
  /// - Returns: for each part that depends on keys, the digests of those that have a row; and for
  ///   each part with a follower, what it did not know.
  private func readBasis(
    on server: isolated PostgresServer, _ namespaces: [Int64],
    after opening: [PostgresConnection.Command]
  ) async throws -> (known: [Int: Set<Data>], readings: [Int: PostgresReading]) {
    let concerned = parts.indices.filter { !parts[$0].keysToLock.isEmpty }
      .sorted { namespaces[$0] < namespaces[$1] }
    var commands = opening
    let rowLocks = commands.count
    commands += concerned.map { index in
      .init(
        prepared: """
          SELECT digest FROM pantry.item WHERE namespace = $1 AND digest = ANY ($2)
          ORDER BY digest FOR UPDATE
          """, .integer(namespaces[index]),
        .bytesArray(parts[index].keysToLock.map(\.digest)))
    }
    // Each statement sees what was committed before it begins, so after it has the locks.
    var places: [Int: Int] = [:]
    for (index, part) in parts.enumerated() where part.follows {
      guard let command = server.changesCommand(in: namespaces[index], since: part.cursor)
      else { continue }
      places[index] = commands.count
      commands.append(command)
    }
    let results = try await server.run(commands)
    var known: [Int: Set<Data>] = [:]
    for (index, rows) in zip(concerned, results[rowLocks...]) {
      known[index] = Set((0..<rows.count).map { rows.data($0, 0) })
    }
    var readings: [Int: PostgresReading] = [:]
    for (index, part) in parts.enumerated() where part.follows {
      let found = try places[index].flatMap {
        try server.changes(results[$0], in: namespaces[index], since: part.cursor)
      }
      if let found {
        readings[index] = found
      } else {
        readings[index] = try await server.changes(in: namespaces[index], since: nil)
      }
    }
    return (known, readings)
  }

  private struct Written {
    var positions: [[Int?]]
    /// Whether the row existed, or may have.
    var hasOverwritten: Bool
    /// The transaction's number, if it is known.
    var transaction: UInt64?
  }

  /// Writes the rows of all parts, removes those that they remove, and commits.
  ///
  /// - Parameter known: the rows that parts with a basis have locked. Others that they depend on
  ///   must be new: the server refuses the transaction if one is not.
  private func write(
    on server: isolated PostgresServer, _ namespaces: [Int64], known: [Int: Set<Data>],
    as client: PostgresServer.Client, after opening: [PostgresConnection.Command]
  ) async throws -> Written {
    var batch = opening
    var places: [(part: Int, writes: Range<Int>, command: Int)] = []
    for (index, (part, namespace)) in zip(parts, namespaces).enumerated() {
      batch += removals(part, namespace)
      let new = known[index].map { Set(part.keysToLock.map(\.digest)).subtracting($0) } ?? []
      for start in stride(from: 0, to: part.change.writes.count, by: Self.rowsInStatement) {
        let writes = start..<min(start + Self.rowsInStatement, part.change.writes.count)
        places.append((index, writes, batch.count))
        batch.append(insertion(part, part.change.writes[writes], namespace, new: new))
      }
    }
    // Each written row returns the transaction's number, too.
    let number = batch.count
    if places.isEmpty { batch.append(.init(prepared: "SELECT pg_current_xact_id()")) }
    batch += references(namespaces)
    var written = Written(
      positions: parts.map { [Int?](repeating: nil, count: $0.change.count) },
      hasOverwritten: true)
    guard let results = try await server.end(batch, in: namespaces, as: client) else {
      return written
    }
    written.transaction = UInt64(
      bitPattern: places.first.map { results[$0.command].integer(0, 3) }
        ?? results[number].integer(0, 0))
    written.hasOverwritten = false
    for (part, writes, command) in places {
      let areNew = note(
        results[command], of: parts[part].change.writes[writes], in: &written.positions[part])
      if !areNew { written.hasOverwritten = true }
    }
    return written
  }

  private func removals(_ part: Part, _ namespace: Int64) -> [PostgresConnection.Command] {
    let admitted =
      "CASE WHEN \(Self.isNewer("$2")) AND NOT item.digest = ANY ($3) "
      + "THEN \(Self.refusal) IS NOT NULL ELSE true END"
    let discarded = PostgresValue.bytesArray(part.rowGuard?.discarded.map(\.digest) ?? [])
    if part.change.removesAll {
      return [
        .init(
          "DELETE FROM pantry.item WHERE namespace = $1 AND \(admitted)", .integer(namespace),
          part.version, discarded)
      ]
    }
    guard !part.change.removed.isEmpty else { return [] }
    return [
      .init(
        "DELETE FROM pantry.item WHERE namespace = $1 AND digest = ANY ($4) AND \(admitted)",
        .integer(namespace), part.version, discarded,
        .bytesArray(part.change.removed.map(\.digest)))
    ]
  }

  /// The condition that a newer version of a program has written the row: it is its first member.
  private static func isNewer(_ version: String) -> String {
    let head = "encode(substring(item.data FOR 64), 'escape')"
    let member = #"^\s*\{\s*"\$pantryVersion"\s*:\s*(\d{1,18})"#
    return "coalesce(substring(\(head) FROM '\(member)')::bigint, 0) > \(version)"
  }

  /// Refuses a commit, of which ``StoragePart/admitChanges()`` then says why.
  private static let refusal =
    "pantry.refuse('\(PostgresError.newerRow)', 'a newer program wrote the row')"

  private static let rowsInStatement = 1_000

  /// - Parameter new: the digests of keys that must not have a row.
  private func insertion(
    _ part: Part, _ writes: ArraySlice<NetChange.Write>, _ namespace: Int64, new: Set<Data>
  ) -> PostgresConnection.Command {
    .init(
      prepared: """
        INSERT INTO pantry.item (namespace, digest, key, data)
        SELECT $1, new.digest, new.key, new.data
        FROM unnest($2, $3, $4) WITH ORDINALITY AS new (digest, key, data, place) ORDER BY place
        ON CONFLICT (namespace, digest) DO UPDATE
        SET data = CASE WHEN item.digest = ANY ($5)
            THEN pantry.refuse('40001', 'another client has added the same key')
            WHEN \(Self.isNewer("$6")) THEN \(Self.refusal)
            ELSE excluded.data END,
          updated = clock_timestamp(), xid = pg_current_xact_id()
        RETURNING digest, id, xmax = 0, xid
        """, .integer(namespace), .bytesArray(writes.map(\.digest)),
      .bytesArray(writes.map(\.key.bytes)), .bytesArray(writes.map(\.data)),
      .bytesArray(writes.map(\.digest).filter(new.contains)), part.version)
  }

  /// The commands that note what rows refer to, in place of what they referred to before.
  ///
  /// They come after the writing, so that they see what another transaction noted for a row that
  /// this one had to wait for. The bytes that a row no longer refers to have a day from then on.
  private func references(_ namespaces: [Int64]) -> [PostgresConnection.Command] {
    var commands: [PostgresConnection.Command] = []
    for (part, namespace) in zip(parts, namespaces) where !part.change.writes.isEmpty {
      commands.append(
        .init(
          prepared: """
            WITH gone AS (
              DELETE FROM pantry.reference USING pantry.item
              WHERE EXISTS (SELECT FROM pantry.reference) AND item.namespace = $1
                AND item.xid = pg_current_xact_id() AND reference.item = item.id
              RETURNING reference.digest
            )
            UPDATE pantry.attachment SET used = now() FROM gone
            WHERE attachment.digest = gone.digest
            """, .integer(namespace)))
    }
    for (part, namespace) in zip(parts, namespaces) {
      let pairs = part.change.writes.flatMap { write in
        Set(write.attachments.map(\.digest)).map { (key: write.digest, digest: $0) }
      }
      guard !pairs.isEmpty else { continue }
      commands.append(
        .init(
          """
          INSERT INTO pantry.reference (item, digest)
          SELECT item.id, new.digest FROM unnest($2, $3) AS new (key, digest)
          JOIN pantry.item ON item.namespace = $1 AND item.digest = new.key
          """, .integer(namespace), .bytesArray(pairs.map(\.key)),
          .bytesArray(pairs.map { Data($0.digest.bytes) })))
    }
    return commands
  }

  /// Notes the positions of new rows; returns whether all are new.
  private func note(
    _ rows: PostgresRows, of writes: ArraySlice<NetChange.Write>, in positions: inout [Int?]
  ) -> Bool {
    let indices = Dictionary(
      writes.map { ($0.digest, $0.index) }, uniquingKeysWith: { first, _ in first })
    var areNew = true
    for row in 0..<rows.count {
      guard let index = indices[rows.data(row, 0)] else { continue }
      if rows.integer(row, 2) == 1 {
        positions[index] = Int(rows.integer(row, 1))
      } else {
        areNew = false
      }
    }
    return areNew
  }
}

extension PostgresCommit.Part {
  /// The newest version of a row that may be overwritten and removed.
  fileprivate var version: PostgresValue { .integer(Int64(rowGuard?.version ?? .max)) }

  /// Whether it needs the namespace for itself: it depends on rows that it does not write, so that
  /// no lock of a row keeps others from changing them, or on the absence of rows.
  fileprivate var isAlone: Bool {
    switch basis {
    case .nothing: false
    case .everything: true
    case .keys(let keys):
      !keys.isSubset(of: change.removed + change.writes.map(\.key))
    }
  }

  /// The keys whose rows no one else may change until the commit.
  fileprivate var keysToLock: Set<CacheKey> {
    if case .keys(let keys) = basis, !isAlone { keys } else { [] }
  }
}
