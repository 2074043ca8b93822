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

  /// The clock alone does not count, since it may be ahead: bytes were stored or released on two
  /// later days as well.
  private static let unusedAttachments = """
    used < now() - interval '1 day' AND (used AT TIME ZONE 'UTC')::date < (
      SELECT min(day) FROM (
        SELECT DISTINCT (used AT TIME ZONE 'UTC')::date AS day FROM pantry.attachment
        WHERE used <= now() ORDER BY day DESC LIMIT 2
      ) AS days HAVING count(*) = 2)
    AND \(isUnreferenced)
    """

  private static let isUnreferenced = """
    NOT EXISTS (SELECT FROM pantry.reference WHERE reference.digest = attachment.digest)
    """

  /// Deletes the keys of rows that were removed long ago.
  func forgetOldRemovals() async throws {
    try await inTurn { server in
      _ = try await server.run(
        """
        WITH old AS (
          DELETE FROM pantry.removal
          WHERE removed < now() - interval '\(Self.daysOfRemovals) days' RETURNING namespace, xid
        )
        UPDATE pantry.namespace SET forgotten = greatest(forgotten, newest)
        FROM (
          SELECT DISTINCT ON (namespace) namespace, xid AS newest FROM old
          ORDER BY namespace, xid DESC
        ) AS gone
        WHERE namespace.id = gone.namespace
        """)
    }
  }

  /// Does both.
  func tidy() async throws {
    try await sweepAttachments()
    try await forgetOldRemovals()
  }
}
