internal import FoundationEssentials
internal import Pantry
internal import PantryPostgres

/// A storage engine with the additional features that a library needs.
///
/// The defaults are those of memory.
protocol LibraryEngine: StorageEngine {
  /// Returns the engine of another namespace in the same place.
  nonisolated func sibling(namespace: String) -> any StorageEngine
  /// The reason why nothing is saved; nil if everything is.
  nonisolated var reasonNotSaved: StorageError? { get }
  /// The reason why stored data cannot be shown; nil if it can.
  nonisolated var reasonNotReadable: StorageError? { get }
  /// The file that changes are saved to; nil if there is none.
  nonisolated var file: SQLiteStorageEngine? { get }
  /// The file to copy, which need only be readable; nil if there is none.
  nonisolated var readableFile: SQLiteStorageEngine? { get }
  /// Whether the changes of others show within two seconds instead of at once.
  var isPolled: Bool { get async }

  var hasUnsavedChanges: Bool { get async }
  /// Keeps the newest favorites for the next start.
  func keepNewest(_ limit: Int) async
}

extension LibraryEngine {
  nonisolated func sibling(namespace: String) -> any StorageEngine { MemoryStorageEngine() }
  nonisolated var reasonNotSaved: StorageError? { nil }
  nonisolated var reasonNotReadable: StorageError? { nil }
  nonisolated var file: SQLiteStorageEngine? { nil }
  nonisolated var readableFile: SQLiteStorageEngine? { file }
  var isPolled: Bool { get async { false } }

  var hasUnsavedChanges: Bool { get async { false } }
  func keepNewest(_ limit: Int) async {}
}

extension MemoryStorageEngine: LibraryEngine {}

extension SQLiteStorageEngine: LibraryEngine {
  nonisolated func sibling(namespace: String) -> any StorageEngine { engine(namespace: namespace) }
  nonisolated var file: SQLiteStorageEngine? { self }
}

extension PostgresStorageEngine: LibraryEngine {
  nonisolated func sibling(namespace: String) -> any StorageEngine { engine(namespace: namespace) }

  func keepNewest(_ limit: Int) async { await keepNewestRows(limit: limit) }
}

extension Store {
  /// The engine, as a library needs it; nil for one that knows no library.
  var libraryEngine: (any LibraryEngine)? { storage as? any LibraryEngine }
}
