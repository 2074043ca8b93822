internal import FoundationEssentials

extension SQLiteStorageEngine {
  /// Whether canceling its task changes nothing about a commit: true.
  public nonisolated var ignoresCancellation: Bool { true }

  /// The same for all engines on one file.
  public nonisolated var joint: ObjectIdentifier { ObjectIdentifier(file) }

  /// Commits all parts in one transaction, or throws ``SQLiteError`` or ``StorageError``.
  public func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    let outcome = try await withBytesToStore(parts.lazy.flatMap(\.changes)) { bytes in
      try run(parts, bytes: bytes)
    }
    return parts.indices.map { index in
      StorageCommit(
        update: outcome.updates[index], positions: outcome.positions.map { $0[index] })
    }
  }

  private func run(
    _ parts: [StoragePart], bytes: [ContentDigest: Data]
  ) throws -> SQLiteTransaction.Outcome {
    let connection = try file.writer.writableConnection()
    let sessions = try parts.map { part in
      try connection.session((part.storage as? SQLiteStorageEngine)?.naming ?? naming)
    }
    return try run(
      zip(parts, sessions).map { part, session in
        SQLiteTransaction.Part(
          session: session, changes: part.changes,
          start: cursor(of: part.follower).map { .cursor($0) } ?? .beginning, basis: part.basis)
      }, bytes: bytes
    ) { outcome in
      for (index, part) in parts.enumerated() {
        part.follower.cursor = FollowerPosition(
          file: file.writer.fileNumber, namespace: sessions[index].namespace,
          cursor: outcome.cursors[index])
      }
    }
  }
}
