extension SQLiteStorageEngine: TypedStorage {
  /// Returns the namespace in its file.
  public nonisolated func keySpace(of type: String?) -> StorageKeySpace? {
    let name = choice.name(for: type)
    return StorageKeySpace(place: "\(file.location.path)\0\(name)", name: name)
  }

  /// Returns the recorded definition of the namespace, which is chosen if none was given.
  ///
  /// - Complexity: O(1), or O(n) once if the namespace of version 0.2.0 has no row of the type.
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func definition(for claim: StorageClaim) async throws -> String? {
    if choice.naming == nil {
      choice.choose(
        try SQLiteNamespace.chosen(for: claim, in: file.writer.connection().database))
    }
    let session = try openSession()
    return try SQLiteNamespace.definition(of: session.namespace, in: session.database)
  }

  /// Records the definition of `claim`, in a transaction of its own; nothing in a read-only file.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func record(_ claim: StorageClaim, replacing known: String?) async throws -> String? {
    guard !file.location.isReadOnly else { return known }
    let session = try file.writer.writableConnection().session(naming)
    return try SQLiteNamespace.record(
      claim, replacing: known, of: session.namespace, in: session.database)
  }
}
