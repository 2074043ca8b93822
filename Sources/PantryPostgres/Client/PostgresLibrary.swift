internal import CPantryPostgreSQL
internal import SystemSupport

/// Provides the functions of libpq, which is loaded on first use.
///
/// A value of it is the only way to call them, and proves that the library is loaded.
struct PostgresLibrary: Sendable {
  private let library: LoadedLibrary<pantry_pq>

  var functions: pantry_pq { library.functions }

  /// This process's library, loaded by the first caller; a failure is final.
  private static let loaded = Result<PostgresLibrary, PostgresError> { () throws(PostgresError) in
    try PostgresLibrary(loading: PANTRY_PQ_LIBRARY)
  }

  /// Returns this process's library.
  ///
  /// - Throws: ``PostgresError`` if it is missing or too old.
  static func shared() throws(PostgresError) -> PostgresLibrary { try loaded.get() }

  init(loading name: String) throws(PostgresError) {
    do throws(LibraryError) {
      library = try LoadedLibrary(name, pantry_pq_symbols())
    } catch {
      throw PostgresError(.missingLibrary, error.reason)
    }
  }
}
