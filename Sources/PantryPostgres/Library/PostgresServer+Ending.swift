internal import FoundationEssentials
internal import Pantry

/// The end of a transaction, also if the connection is lost just then.
extension PostgresServer {
  /// Commits, and finds out what became of it if the answer is lost.
  ///
  /// - Throws: the error of the lost connection if nothing was committed.
  func end(
    _ transaction: UInt64, after commands: [PostgresConnection.Command], of parts: [Part],
    _ namespaces: [Int64]
  ) async throws {
    do {
      try await commitTransaction(after: commands, in: namespaces)
    } catch let lost as PostgresError where lost.kind == .cutOff {
      let fate: Fate
      do {
        try await reconnectInTurn()
        fate = try await self.fate(of: transaction, parts, namespaces)
      } catch {
        throw StorageError.outcomeUnknown(reason: "\(error)")
      }
      switch fate {
      case .committed:
        do {
          try await reachStandby(namespaces)
        } catch {
          throw StorageError.outcomeUnknown(reason: "\(error)")
        }
      case .lost: throw lost
      case .unknown: throw StorageError.outcomeUnknown(reason: lost.description)
      }
    }
  }

  /// Waits until all that is committed so far is where the server's settings want it.
  ///
  /// The rows of a session that was ended while it waited for a synchronous standby are visible,
  /// and may be missing there. The log has one order, so another commit proves that they are not.
  private func reachStandby(_ namespaces: [Int64]) async throws {
    _ = try await run(
      "UPDATE pantry.namespace SET name = name WHERE id = $1", .integer(namespaces[0]))
  }

  private enum Fate {
    case committed, lost, unknown
  }

  /// Returns the fate of a transaction: committed, lost or unknown.
  ///
  /// That its number is committed proves nothing: a server that was killed may give the number of a
  /// transaction that left nothing on its disk to another one. Only a row of the transaction does,
  /// or a removal. That the number is not committed proves that the transaction is not.
  private func fate(
    of transaction: UInt64, _ parts: [Part], _ namespaces: [Int64]
  ) async throws -> Fate {
    var wasCommitted = false
    for _ in 1...100 {
      for (part, namespace) in zip(parts, namespaces) {
        // The number, and not its name, since the connection may be to another server.
        guard try await self.namespace(part.namespace) == namespace else { return .unknown }
        if try await isThere(part.change, of: transaction, in: namespace) { return .committed }
      }
      do {
        let status = try await run(
          "SELECT coalesce(pg_xact_status($1), 'unknown')", .transaction(transaction)
        ).text(0, 0)
        if status == "aborted" { return .lost }
        // It may have been committed since the rows were read.
        guard status == "in progress" || status == "committed" && !wasCommitted else {
          return .unknown
        }
        wasCommitted = status == "committed"
      } catch let error as PostgresError where error.kind == .refused(sqlState: "22023") {
        // The number is in the future: nothing of it came to the disk.
        return .lost
      }
      // The connection is gone, and the server may still be committing.
      try await Task.sleep(for: .milliseconds(100))
    }
    return .unknown
  }

  /// Whether a row or a removal of a change has the number of a transaction.
  private func isThere(
    _ change: NetChange, of transaction: UInt64, in namespace: Int64
  ) async throws -> Bool {
    if let write = change.writes.first {
      let rows = try await run(
        """
        SELECT FROM pantry.item
        WHERE namespace = $1 AND digest = $2 AND xid = $3 AND data = $4
        """, .integer(namespace), .bytes(write.digest), .transaction(transaction),
        .bytes(write.data))
      if rows.count > 0 { return true }
    }
    if change.removesAll {
      let rows = try await run(
        "SELECT FROM pantry.removal WHERE namespace = $1 AND xid = $2 LIMIT 1",
        .integer(namespace), .transaction(transaction))
      if rows.count > 0 { return true }
    }
    guard !change.removed.isEmpty else { return false }
    let rows = try await run(
      "SELECT FROM pantry.removal WHERE namespace = $1 AND digest = ANY ($2) AND xid = $3",
      .integer(namespace), .bytesArray(change.removed.map(\.digest)), .transaction(transaction))
    return rows.count > 0
  }
}
