public import Pantry

extension PostgresStorageEngine {
  /// Notifies the follower of writes of other engines, processes and machines to the namespace.
  public nonisolated func add(_ follower: StorageFollower) {
    server.add(follower, to: namespace)
  }

  /// Reads all rows, as of one moment, or throws ``PostgresError``.
  public func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    try await reading(for: follower) { server, namespace in
      try await server.changes(in: namespace, since: nil)
    }.rows
  }

  /// Reads a page of rows by an index, or throws ``PostgresError``.
  ///
  /// - Complexity: O(`limit`), wherever the page is.
  public func page(
    after position: Int?, limit: Int, for follower: StorageFollower
  ) async throws -> [StorageRow]? {
    guard let position else {
      return try await reading(for: follower) { server, namespace in
        try await server.page(in: namespace, after: 0, limit: limit)
      }.rows
    }
    let former = follower.cursor as? PostgresCursor
    return try await server.reading { [namespace] server -> [StorageRow]? in
      // The pages so far may have come from another server.
      guard let former, former.connection == server.connectionCount else { return nil }
      let number = try await server.namespace(namespace)
      let page = try await server.page(in: number, after: Int64(position), limit: limit)
      return page.cursor.incarnation == former.incarnation ? page.update.rows : nil
    }
  }

  /// Returns the newest rows and the count, or throws ``PostgresError``.
  ///
  /// They are a copy on this machine if there is one, which may be older than the server's rows.
  /// Otherwise they are read by indexes.
  public func newestPage(limit: Int) async throws -> (rows: [StorageRow], count: Int)? {
    if let copy = await copies?.newestRows(of: namespace) { return (copy.rows, copy.count) }
    let newest = try await newestRows(limit: limit)
    return (newest.rows, newest.count)
  }

  /// Keeps the newest rows for the next start, if the server is connected now.
  ///
  /// Nothing is thrown: without a new copy, the next start shows an older one.
  public func keepNewestRows(limit: Int) async {
    guard let copies, await server.isConnected else { return }
    guard let newest = try? await newestRows(limit: limit) else { return }  // the old copy stays
    await copies.keep(newest, of: namespace)
  }

  private func newestRows(limit: Int) async throws -> PostgresNewestRows {
    try await server.reading { [namespace] server in
      let number = try await server.namespace(namespace)
      // One batch, of few rows: their place is found by the index.
      let results = try await server.run([
        .init(
          """
          SELECT count(*), coalesce((
            SELECT min(id) FROM (
              SELECT id FROM pantry.item WHERE namespace = $1 ORDER BY id DESC LIMIT $2
            ) AS newest), 1)
          FROM pantry.item WHERE namespace = $1
          """, .integer(number), .integer(Int64(limit)))
      ])[0]
      let page = try await server.page(
        in: number, after: results.integer(0, 1) - 1, limit: limit)
      return PostgresNewestRows(
        rows: page.update.rows, count: Int(results.integer(0, 0)))
    }
  }

  /// Reads the writes of others, or throws ``PostgresError``.
  ///
  /// - Complexity: O(k) for k changed rows.
  public func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    try await reading(for: follower) { server, namespace in
      try await server.changes(in: namespace, since: follower.cursor as? PostgresCursor)
    }
  }

  /// Reads the writes of others and commits, in one transaction, or throws ``PostgresError``.
  ///
  /// If the changes depend on nothing, the writes of others are not read: the next reading finds
  /// them.
  public func commit(
    _ changes: [StorageChange], basedOn basis: ReadSet, for follower: StorageFollower
  ) async throws -> StorageCommit {
    let part = StoragePart(storage: self, changes: changes, basis: basis, follower: follower)
    return try await commit([part])[0]
  }

  /// Reads in a turn, and advances the follower.
  private func reading(
    for follower: StorageFollower,
    _ body: @Sendable (isolated PostgresServer, Int64) async throws -> PostgresReading
  ) async throws -> StorageUpdate {
    try await server.reading { [namespace] server in
      let number = try await server.namespace(namespace)
      // Before the first reading, so that no change falls between.
      try await server.listen(number)
      let reading = try await body(server, number)
      follower.cursor = reading.cursor
      return reading.update
    }
  }

  /// The same for all engines on one address.
  public nonisolated var joint: ObjectIdentifier { ObjectIdentifier(server) }

  /// Commits all parts in one transaction, or throws ``PostgresError``.
  public func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    if parts.changeNothing {
      try await server.inTurn { try await $0.requireWriting() }
      return try await parts.compared()
    }
    // Whose rows these are is not in their first member.
    for part in parts where part.rowGuard?.requireOwn != nil { try await part.admitChanges() }
    let own = parts.map { part in
      PostgresCommit.Part(
        namespace: (part.storage as? PostgresStorageEngine)?.namespace ?? namespace,
        change: NetChange(part.changes), basis: part.basis,
        cursor: part.follower.cursor as? PostgresCursor, follower: part.follower,
        rowGuard: part.rowGuard, again: part.again)
    }
    let outcome: PostgresCommit.Outcome
    do {
      outcome = try await commit(own)
    } catch let error as PostgresError where error.isOfNewerRow {
      for part in parts { try await part.admitChanges() }
      throw error
    }
    for (part, cursor) in zip(parts, outcome.cursors) where cursor != nil {
      part.follower.cursor = cursor
    }
    return parts.indices.map { index in
      StorageCommit(
        update: outcome.updates[index], positions: outcome.positions.map { $0[index] })
    }
  }
}
