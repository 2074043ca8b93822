extension SQLiteStorageEngine: TypedStorage {
  /// Returns the namespace in its file.
  public nonisolated func keySpace(of type: String?) -> StorageKeySpace? {
    let place = choice.place(for: type)
    return StorageKeySpace(place: "\(file.location.path)\0\(place)", name: namespace)
  }

  /// Returns the recorded definition of the namespace, which is chosen if none was given.
  ///
  /// - Complexity: O(1), or O(n) once if the namespace `default` has no row of the type.
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func definition(for claim: StorageClaim) async throws -> String? {
    if choice.naming == nil { try choose(for: claim) }
    let session = try openSession()
    return try SQLiteNamespace.definition(of: session.namespace, for: claim, in: session.database)
  }

  /// Chooses the namespace, and takes `default` at once while it is empty: a store of another type
  /// that opens now gets its own.
  private func choose(for claim: StorageClaim) throws {
    let database = try file.writer.connection().database
    let naming = try SQLiteNamespace.chosen(for: claim, in: database)
    if naming.name == Self.defaultNamespace, claim.type?.isStable == true, !database.isReadOnly {
      let id = try file.writer.connection().session(naming).namespace
      // A full disk or a lock must not prevent reading: the load records it then.
      if try !SQLiteNamespace.hasRows(id, in: database),
        let found = try? SQLiteNamespace.record(  // see above
          claim, replacing: nil, of: id, in: database),
        !claim.agrees(with: found)
      {
        return choice.choose(try SQLiteNamespace.chosen(for: claim, in: database))
      }
    }
    choice.choose(naming)
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
