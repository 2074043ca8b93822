public import FoundationEssentials
public import Pantry

extension PostgresStorageEngine {
  /// The attachments in use by values of this process, in all namespaces of the database.
  public nonisolated var liveAttachments: AttachmentsInUse? { server.liveAttachments }

  /// Reads the bytes with this digest, from a copy on this machine or from the server.
  ///
  /// - Throws: ``PostgresError``.
  public nonisolated func attachmentData(for digest: ContentDigest) async throws -> Data? {
    if let copy = await copies?.attachment(digest), ContentDigest(of: copy) == digest {
      return copy
    }
    var found = try await pieces(of: digest, from: server.forPictures)
    // A standby may not have them yet.
    if found == nil, await server.forPictures.library.readOnly == .standby {
      found = try await pieces(of: digest, from: server)
    }
    guard let data = found else { return nil }
    await copies?.keep(data, as: digest)
    return data
  }

  /// Reads bytes piece by piece, so that others have their turns in between.
  private nonisolated func pieces(
    of digest: ContentDigest, from server: PostgresServer
  ) async throws -> Data? {
    let piece = PostgresLimits.piece
    var data = Data()
    var count = Int64.max
    while data.count < count {
      let start = Int64(data.count)
      let rows = try await server.reading { server in
        // It may have been given up while others had their turns.
        try Task.checkCancellation()
        return try await server.run(
          prepared: """
            SELECT octet_length(data)::bigint, substring(data FROM $2 + 1 FOR $3)
            FROM pantry.attachment WHERE digest = $1
            """, .bytes(Data(digest.bytes)), .shortInteger(Int32(start)),
          .shortInteger(Int32(piece)))
      }
      guard rows.count > 0 else { return nil }
      count = rows.integer(0, 0)
      guard count <= PostgresLimits.attachment else {
        throw PostgresError(
          .tooLarge,
          PostgresLimits.words("the attachment", count, limit: PostgresLimits.attachment))
      }
      let next = rows.data(0, 1)
      // A server that says one thing and sends another: the digest will not fit.
      guard !next.isEmpty || count == 0, next.count <= piece else { break }
      if data.isEmpty { data.reserveCapacity(Int(count)) }
      data += next
    }
    return data
  }

  /// Frees the bytes that no row has referred to for a day, nor a value of this process now.
  ///
  /// Other machines may still show a picture that was removed: they have a day to let go of it. A
  /// server's clock that is ahead frees nothing: bytes must have been stored or released on two
  /// later days.
  ///
  /// - Throws: ``PostgresError``.
  public func sweepAttachments() async throws { try await server.sweepAttachments() }

  /// Stores the bytes that the server does not have, before the rows that refer to them.
  ///
  /// No transaction is open and no lock is held while they are sent, however slow the network is,
  /// and others have their turns in between. Bytes that no row refers to in the end are swept after
  /// a day, and so long is what the server has kept.
  func store(attachmentsOf change: NetChange) async throws {
    let attachments = Dictionary(
      change.writes.flatMap(\.attachments).map { ($0.digest, $0) }, uniquingKeysWith: { $1 })
    guard !attachments.isEmpty else { return }
    let digests = attachments.keys.map { Data($0.bytes) }
    let results = try await server.forPictures.reading { server in
      try await server.requireWriting()
      return try await server.run([
        .init(
          prepared: """
            UPDATE pantry.attachment SET used = now()
            FROM (
              SELECT digest FROM pantry.attachment
              WHERE digest = ANY ($1) AND used < now() - interval '1 hour'
              ORDER BY digest FOR NO KEY UPDATE
            ) AS old WHERE attachment.digest = old.digest
            """, .bytesArray(digests)),
        .init(
          prepared: "SELECT digest FROM pantry.attachment WHERE digest = ANY ($1)",
          .bytesArray(digests)),
      ])
    }
    let rows = results[1]
    let known = Set((0..<rows.count).compactMap { ContentDigest(bytes: rows.data($0, 0)) })
    for (digest, attachment) in attachments where !known.contains(digest) {
      let data = try await attachment.data()
      // It may be sent again: the same bytes have the same digest.
      _ = try await server.forPictures.reading { server in
        try await server.run(
          """
          INSERT INTO pantry.attachment (digest, data) VALUES ($1, $2)
          ON CONFLICT (digest) DO UPDATE SET used = now()
          """, .bytes(Data(digest.bytes)), .bytes(data))
      }
    }
  }
}
