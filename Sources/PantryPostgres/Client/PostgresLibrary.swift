internal import CPantryPostgreSQL

/// Provides the functions of libpq, which is loaded on first use.
///
/// A value of it is the only way to call them, and proves that the library is loaded.
struct PostgresLibrary: @unchecked Sendable {
  /// The file name, which the dynamic loader looks up in its usual directories.
  static let name = "libpq.so.5"

  /// Only `init` writes it, which makes the type Sendable, and it is never freed.
  private let table: UnsafePointer<pantry_pq>

  /// The functions, such as `functions.connectPoll(connection)`.
  var functions: pantry_pq { table.pointee }

  /// This process's library, loaded by the first caller; a failure is final.
  private static let loaded = Result<PostgresLibrary, PostgresError> { () throws(PostgresError) in
    try PostgresLibrary(loading: name)
  }

  /// Returns this process's library.
  ///
  /// - Throws: ``PostgresError`` if it is missing or too old.
  static func shared() throws(PostgresError) -> PostgresLibrary { try loaded.get() }

  /// Loads a library.
  init(loading name: String) throws(PostgresError) {
    let table = UnsafeMutablePointer<pantry_pq>.allocate(capacity: 1)
    if let reason = pantry_pq_load(name, table) {
      let detail = String(cString: reason)
      table.deallocate()
      throw PostgresError(.missingLibrary, detail)
    }
    self.table = UnsafePointer(table)
  }
}
