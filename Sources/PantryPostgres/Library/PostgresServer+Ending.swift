internal import FoundationEssentials
internal import Pantry

/// The end of a transaction, also if the connection is lost just then.
extension PostgresServer {
  /// The row by which a client learns what became of a commit whose answer was lost.
  ///
  /// Each transaction raises its number, or is refused. So it shows the fate of the last one, and
  /// once it is closed, a transaction that is still on its way can never be committed.
  struct Client: Sendable {
    /// Its name, a random UUID: a process has one for each connection.
    let id = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    /// The number of its last commit that is known.
    var commits: Int64 = 0

    var next: PostgresConnection.Command {
      .init(
        prepared: """
          WITH moved AS (
            UPDATE pantry.client SET seq = $2, used = now()
            WHERE id = $1 AND seq = $2 - 1 AND is_open RETURNING id
          )
          SELECT pantry.refuse('\(PostgresError.closedClient)', 'the client is closed')
          WHERE NOT EXISTS (SELECT FROM moved)
          """, .uuid(id), .integer(commits + 1))
    }
  }

  /// The client of this connection, which is made for its first transaction.
  func ownClient() async throws -> Client {
    if let client { return client }
    let new = Client()
    _ = try await run("INSERT INTO pantry.client (id) VALUES ($1)", .uuid(new.id))
    client = new
    return new
  }

  /// Runs the rest of a transaction and commits it; finds out what became of it if the answer is
  /// lost.
  ///
  /// - Returns: the rows of each command; nil if it is committed and its answer is lost.
  /// - Throws: the error of the lost connection if nothing was committed;
  ///   `StorageError.outcomeUnknown` if that cannot be found out.
  func end(
    _ commands: [PostgresConnection.Command], in namespaces: [Int64], as client: Client
  ) async throws -> [PostgresRows]? {
    do {
      let results = try await commitTransaction(after: commands, in: namespaces)
      self.client?.commits = client.commits + 1
      return results
    } catch let lost as PostgresError where lost.kind == .cutOff {
      guard try await hasCommitted(client) else { throw lost }
      return nil
    }
  }

  /// Whether the next transaction of a client was committed; from then on it cannot be any more.
  ///
  /// Its row is locked as long as the server works on the transaction. Closing it is a commit of
  /// its own: where a synchronous standby must have commits, it has the one before by then.
  private func hasCommitted(_ client: Client) async throws -> Bool {
    var reason = "the server does not know this client"
    for _ in 1...3 {
      do {
        try await reconnectInTurn()
        let rows = try await run([
          .init("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"),
          .init("SELECT seq FROM pantry.client WHERE id = $1 FOR UPDATE", .uuid(client.id)),
          .init("UPDATE pantry.client SET is_open = false WHERE id = $1", .uuid(client.id)),
          .init("COMMIT"),
        ])[1]
        guard rows.count == 1 else { break }
        return rows.integer(0, 0) > client.commits
      } catch let error as PostgresError where [.cutOff, .readOnly].contains(error.kind) {
        // Also the answer to this may be lost: the row says the same the next time.
        reason = "\(error)"
      } catch {
        _ = try? await run("ROLLBACK")  // the first error counts
        throw StorageError.outcomeUnknown(reason: "\(error)")
      }
    }
    throw StorageError.outcomeUnknown(reason: reason)
  }
}
