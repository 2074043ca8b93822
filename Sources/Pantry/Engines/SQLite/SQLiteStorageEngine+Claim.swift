extension SQLiteStorageEngine {
  /// The namespace in its file.
  public nonisolated var keySpace: StorageLocation? {
    StorageLocation(place: "\(file.location.path)\0\(namespace)", name: namespace)
  }

  /// Returns the recorded definition of the namespace.
  ///
  /// - Complexity: O(1), or O(n) if version 0.2.0 kept several types there.
  /// - Throws: ``SQLiteError`` or ``StorageError``, also for rows of 0.2.0 of another type.
  public func definition(for claim: RowType) async throws -> String? {
    let session = try openSession()
    let (database, id) = (session.database, session.namespace)
    if let found = try SQLiteNamespace.definition(of: id, in: database) { return found }
    try naming.requireOwnRows(claim, of: id, in: database)
    return nil
  }

  /// Records the definition of `claim`, in a transaction of its own; nothing in a read-only file.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func record(_ claim: RowType, replacing known: String?) async throws -> String? {
    guard !file.location.isReadOnly else { return known }
    let session = try file.writer.writableConnection().session(naming)
    return try SQLiteNamespace.record(
      claim, replacing: known, of: session.namespace, in: session.database)
  }
}
