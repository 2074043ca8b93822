internal import Pantry

/// The tables at the beginning of a session: made, upgraded, refused, or only read.
extension PostgresSchema {
  /// The tables as a session finds them.
  struct Library: Sendable {
    /// The version of the tables, which a session that may not upgrade them leaves as it is.
    var version = PostgresSchema.version
    /// Why nothing can be written; nil if something can.
    var readOnly: ReadOnly?
  }

  enum ReadOnly: Int64, Sendable {
    case standby = 1
    case setting, role, older

    var words: String {
      switch self {
      case .standby: "the server is a standby, which only follows another one"
      case .setting: "sessions there are set to read only"
      case .role: "this role can only read it"
      case .older: "its version is older: its owner must open it once with this program"
      }
    }
  }

  /// Creates the tables if there are none, upgrades older ones, and refuses newer ones.
  ///
  /// - Throws: `StorageError.newerSchema`, or ``PostgresError``.
  static func prepare(_ server: isolated PostgresServer) async throws -> Library {
    // Behind a pooler the session is others', too.
    if !server.isPooled { _ = try await server.run(settings(forTransaction: false)) }
    var library = Library(
      version: try await foundVersion(on: server),
      readOnly: ReadOnly(rawValue: try await server.run(readOnlyQuery).integer(0, 0)))
    if library.version < version, library.readOnly == nil {
      do {
        library.version = try await upgrade(server)
      } catch let error as PostgresError where error.isForbidden && library.version > 1 {
        library.readOnly = .older
      }
    }
    guard library.version <= version else {
      throw StorageError.newerSchema(
        path: "The PostgreSQL library", version: library.version, supported: version)
    }
    guard library.version > 1 else {
      throw PostgresError(
        .readOnly, "there is none yet, and \(library.readOnly?.words ?? "")",
        place: server.connection?.place ?? "")
    }
    guard library.readOnly == nil else { return library }
    if try await server.run(rightsQuery).integer(0, 0) == 0 {
      library.readOnly = .role
    } else if try await server.run(aheadQuery).integer(0, 0) == 1 {
      _ = try await server.run(adoption.map { .init($0) })
    }
    return library
  }

  /// The number of the reason for which the session can write nothing; 0 if it can.
  private static let readOnlyQuery = """
    SELECT CASE WHEN pg_is_in_recovery() THEN 1
      WHEN current_setting('default_transaction_read_only')::boolean THEN 2 ELSE 0 END
    """

  /// Whether the role may write what a commit writes.
  private static let rightsQuery = """
    SELECT has_table_privilege('pantry.item', 'INSERT')
      AND has_table_privilege('pantry.item', 'UPDATE')
      AND has_table_privilege('pantry.item', 'DELETE')
      AND has_table_privilege('pantry.client', 'INSERT')
      AND has_table_privilege('pantry.client', 'UPDATE')
      AND has_table_privilege('pantry.removal', 'INSERT')
    """

  /// The version of the library; 0 if there is none.
  private static func foundVersion(on server: isolated PostgresServer) async throws -> Int {
    guard try await server.run(existenceQuery).integer(0, 0) == 1 else { return 0 }
    return Int(try await server.run(versionQuery).integer(0, 0))
  }

  /// Creates and upgrades the tables, unless another client was faster; returns their version.
  private static func upgrade(_ server: isolated PostgresServer) async throws -> Int {
    // Reads after the lock must see the state at that moment, whatever the role's default.
    _ = try await server.run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    do {
      // Another client may be migrating, which is slow in a large library.
      let patience = PostgresConnection.Command("SELECT set_config('lock_timeout', '50s', true)")
      _ = try await server.run([
        patience, .init("SELECT pg_advisory_xact_lock(\(lockClass), 0)"),
      ])
      let found = try await foundVersion(on: server)
      let statements = (found == 0 ? creation : []) + upgrades.dropFirst(max(found - 1, 0)).joined()
      if found < version { _ = try await server.run([patience] + statements.map { .init($0) }) }
      _ = try await server.run("COMMIT")
      return max(found, version)
    } catch {
      // The first error counts.
      _ = try? await server.run("ROLLBACK")
      throw error
    }
  }

  /// Whether rows have numbers that the server has not reached.
  private static let aheadQuery = """
    SELECT EXISTS (
      SELECT FROM pantry.namespace WHERE greatest(
        forgotten,
        (SELECT xid FROM pantry.item WHERE item.namespace = namespace.id
          ORDER BY xid DESC LIMIT 1),
        (SELECT xid FROM pantry.removal WHERE removal.namespace = namespace.id
          ORDER BY xid DESC LIMIT 1)) >= pg_snapshot_xmax(pg_current_snapshot()))
    """
}
