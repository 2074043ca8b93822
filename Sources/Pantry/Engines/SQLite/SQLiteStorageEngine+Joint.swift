internal import FoundationEssentials

extension SQLiteStorageEngine {
  /// Whether canceling its task changes nothing about a commit: true.
  public nonisolated var ignoresCancellation: Bool { true }

  /// The same for all engines on one file.
  public nonisolated var joint: ObjectIdentifier { ObjectIdentifier(file) }

  /// Commits all parts in one transaction, or throws ``SQLiteError`` or ``StorageError``.
  public func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    if parts.changeNothing {
      // A change that is made again may have nothing to do any more.
      defer { file.notifyFile.endTurn() }
      _ = try file.writer.writableConnection()
      return try await parts.compared()
    }
    let outcome = try await withBytesToStore(parts.lazy.flatMap(\.changes)) { bytes in
      try run(parts, bytes: bytes)
    }
    return parts.indices.map { index in
      StorageCommit(
        update: outcome.updates[index], positions: outcome.positions.map { $0[index] })
    }
  }

  /// Where the changes of others begin; nil for changes of a follower that has read nothing, and
  /// that depend on nothing.
  private func start(of part: StoragePart) -> SQLiteTransaction.Start? {
    if let cursor = cursor(of: part.follower) { return .cursor(cursor) }
    if case .nothing = part.basis, part.follower.cursor == nil { return nil }
    return .beginning
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
          start: start(of: part), basis: part.basis, rowGuard: part.rowGuard, again: part.again)
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
