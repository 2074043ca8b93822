public import Pantry

extension PostgresStorageEngine {
  /// The namespace on its server.
  public nonisolated var keySpace: StorageLocation? {
    StorageLocation(place: "\(ObjectIdentifier(server))\0\(namespace)", name: namespace)
  }

  /// Returns the recorded definition of the namespace, or throws ``PostgresError``.
  ///
  /// Nil for rows that version 0.2.0 has written, until a store has read all of them; and while
  /// the server does not answer and a copy on this machine stands for it. The load that follows
  /// compares then.
  public func definition(for claim: RowType) async throws -> String? {
    let hasCopy = await copies?.newestRows(of: namespace) != nil
    if hasCopy, await !server.isConnected { return nil }
    do {
      return try await server.reading { [namespace] server in
        guard server.library.version >= 3 else { return nil }
        let rows = try await server.run(
          "SELECT definition FROM pantry.namespace WHERE name = $1 AND definition IS NOT NULL",
          .text(namespace))
        return rows.count == 1 ? rows.text(0, 0) : nil
      }
    } catch let error as PostgresError where hasCopy && error.kind == .cutOff {
      // That the server is gone is known only now.
      return nil
    }
  }

  /// Records the definition of `claim`, as one step; nothing where nothing can be written.
  ///
  /// - Throws: ``PostgresError``.
  public func record(_ claim: RowType, replacing known: String?) async throws -> String? {
    try await server.reading { [namespace] server in
      guard server.library.readOnly == nil else { return known }
      let number = try await server.namespace(namespace)
      let rows = try await server.run([
        .init(
          """
          UPDATE pantry.namespace SET definition = $2
          WHERE id = $1 AND coalesce(definition, '') = $3
          """, .integer(number), .text(claim.definition), .text(known ?? "")),
        .init("SELECT definition FROM pantry.namespace WHERE id = $1", .integer(number)),
      ])[1]
      return rows.text(0, 0)
    }
  }
}
