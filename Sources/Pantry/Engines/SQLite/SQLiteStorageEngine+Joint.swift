internal import FoundationEssentials

extension SQLiteStorageEngine: JointStorage {
  nonisolated var joint: ObjectIdentifier { ObjectIdentifier(file) }

  func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    var bytes: [ContentDigest: Data] = [:]
    for part in parts {
      bytes.merge(try await bytesToStore(part.changes)) { known, _ in known }
    }
    let connection = try file.writer.connection()
    let outcome = try run(
      parts.map { part in
        let naming = (part.storage as? SQLiteStorageEngine)?.naming ?? naming
        let session = try connection.session(naming)
        let cursor = part.follower.map { follower in
          reached(by: follower).map { SQLiteTransaction.Cursor.change($0) } ?? .start
        }
        return SQLiteTransaction.Part(
          session: session, changes: part.changes, cursor: cursor, basis: part.basis)
      }, bytes: bytes
    ) { outcome in
      for (part, namespace) in zip(parts, outcome.namespaces) {
        part.follower?.reached = StorageFollower.Moment(
          file: file.writer.fileNumber, change: outcome.newestChange, namespace: namespace)
      }
    }
    return parts.indices.map { index in
      StorageCommit(
        update: outcome.updates[index], positions: outcome.positions.map { $0[index] })
    }
  }
}
