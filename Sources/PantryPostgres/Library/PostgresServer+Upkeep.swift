internal import FoundationEssentials
internal import Pantry

extension PostgresServer {
  /// The number of days for which the keys of removed rows are kept.
  ///
  /// A client that was cut off for longer reads everything.
  private static let daysOfRemovals = 30

  /// Frees the bytes that no row has referred to for a day and more, nor a value of this process
  /// now.
  func sweepAttachments() async throws {
    let (unused, liveAttachments) = (Self.unusedAttachments, liveAttachments)
    try await inTurn { server in
      try await server.requireWriting()
      // The server's clock was ahead: their day begins now.
      _ = try await server.run(
        """
        UPDATE pantry.attachment SET used = now()
        WHERE used > now() + interval '1 day' AND \(Self.isUnreferenced)
        """)
      let rows = try await server.run("SELECT digest FROM pantry.attachment WHERE \(unused)")
      let digests = (0..<rows.count).map { rows.data($0, 0) }.filter { bytes in
        ContentDigest(bytes: bytes).map { !liveAttachments.contains($0) } ?? false
      }
      guard !digests.isEmpty else { return }
      _ = try await server.run(
        "DELETE FROM pantry.attachment WHERE digest = ANY ($1) AND \(unused)",
        .bytesArray(digests))
    }
  }

  private static let unusedAttachments = """
    \(isOld("attachment", by: "1 day", afterDaysOf: "attachment")) AND \(isUnreferenced)
    """

  /// Whether a row was used long ago, as an expression.
  ///
  /// The clock alone does not count, since it may be ahead: rows of `witness` must have been used
  /// on two later days as well.
  private static func isOld(
    _ table: String, by age: String, afterDaysOf witness: String, column: String = "used"
  ) -> String {
    """
    \(table).\(column) < now() - interval '\(age)'
    AND (\(table).\(column) AT TIME ZONE 'UTC')::date < (
      SELECT min(day) FROM (
        SELECT DISTINCT (used AT TIME ZONE 'UTC')::date AS day FROM pantry.\(witness)
        WHERE used <= now() ORDER BY day DESC LIMIT 2
      ) AS days HAVING count(*) = 2)
    """
  }

  private static let isUnreferenced = """
    NOT EXISTS (SELECT FROM pantry.reference WHERE reference.digest = attachment.digest)
    """

  /// Deletes the keys of rows that were removed long ago, and clients that have written nothing for
  /// as long.
  func forgetOldRemovals() async throws {
    let age = "\(Self.daysOfRemovals) days"
    let isOld = Self.isOld("removal", by: age, afterDaysOf: "client", column: "removed")
    let isUnseen = Self.isOld("client", by: age, afterDaysOf: "client")
    try await inTurn { server in
      try await server.requireWriting()
      _ = try await server.run([
        .init(
          """
          WITH old AS (DELETE FROM pantry.removal WHERE \(isOld) RETURNING namespace, xid)
          UPDATE pantry.namespace SET forgotten = greatest(forgotten, newest)
          FROM (
            SELECT DISTINCT ON (namespace) namespace, xid AS newest FROM old
            ORDER BY namespace, xid DESC
          ) AS gone
          WHERE namespace.id = gone.namespace
          """),
        .init("DELETE FROM pantry.client WHERE \(isUnseen)"),
      ])
    }
  }

  func tidy() async throws {
    try await sweepAttachments()
    try await forgetOldRemovals()
  }
}
