internal import FoundationEssentials

extension SQLiteStorageEngine: EncodingStorage {
  package nonisolated var ignoresCancellation: Bool { true }

  package func commit(
    encoding encode: @Sendable () throws -> [StorageChange], for follower: StorageFollower
  ) async throws -> (changes: [StorageChange], commit: StorageCommit) {
    let changes = try encode()
    return (changes, try await commit(changes, basedOn: .nothing, for: follower))
  }
}

extension SQLiteStorageEngine: JointStorage {
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
        let start = part.follower.map { follower in
          cursor(of: follower).map { SQLiteTransaction.Start.cursor($0) } ?? .beginning
        }
        return SQLiteTransaction.Part(
          session: session, changes: part.changes, start: start, basis: part.basis)
      }, bytes: bytes
    ) { outcome in
      for (index, part) in parts.enumerated() {
        part.follower?.cursor = FollowerPosition(
          file: file.writer.fileNumber, namespace: sessions[index].namespace,
          cursor: outcome.cursors[index])
      }
    }
  }
}
