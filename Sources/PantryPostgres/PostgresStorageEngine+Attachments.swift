public import FoundationEssentials
public import Pantry

extension PostgresStorageEngine: AttachmentStorage {
  /// The attachments in use by values of this process, in all namespaces of the database.
  public nonisolated var liveAttachments: LiveAttachments { server.liveAttachments }

  /// Reads the bytes with this digest, from a copy on this machine or from the server.
  ///
  /// - Throws: ``PostgresError``.
  public nonisolated func attachmentData(for digest: ContentDigest) async throws -> Data? {
    if let copy = await copies?.attachment(digest), ContentDigest(of: copy) == digest {
      return copy
    }
    let rows = try await server.reading { server in
      try await server.run(
        "SELECT data FROM pantry.attachment WHERE digest = $1", .bytes(Data(digest.bytes)))
    }
    guard rows.count > 0 else { return nil }
    let data = rows.data(0, 0)
    await copies?.keep(data, as: digest)
    return data
  }

  /// Frees the bytes that no row has referred to for a day, nor a value of this process now.
  ///
  /// Other machines may still show a picture that was removed: they have a day to let go of it.
  ///
  /// - Throws: ``PostgresError``.
  public func sweepAttachments() async throws { try await server.sweepAttachments() }

  /// The bytes of attachments that the server does not have.
  ///
  /// Those that it has are marked as used, so that they are not swept before the commit.
  func bytesToStore(_ change: NetChange) async throws -> [ContentDigest: Data] {
    let attachments = Dictionary(
      change.writes.flatMap(\.attachments).map { ($0.digest, $0) }, uniquingKeysWith: { $1 })
    guard !attachments.isEmpty else { return [:] }
    let rows = try await server.reading { server in
      try await server.run(
        "UPDATE pantry.attachment SET used = now() WHERE digest = ANY ($1) RETURNING digest",
        .bytesArray(attachments.keys.map { Data($0.bytes) }))
    }
    let known = Set((0..<rows.count).compactMap { ContentDigest(bytes: rows.data($0, 0)) })
    var bytes: [ContentDigest: Data] = [:]
    for (digest, attachment) in attachments where !known.contains(digest) {
      bytes[digest] = try await attachment.data()
    }
    return bytes
  }
}
