/// An engine of Pantry's, which can tell on which key space it is.
protocol NamespacedStorage: StorageEngine {
  /// The key space: the same for every engine that is on it, in this process and in others.
  nonisolated var place: String { get }
  /// What a person calls the key space.
  nonisolated var namespace: String { get }

  /// Notes that a store of `type` keeps its items here.
  ///
  /// - Throws: ``StorageError/otherType(namespace:wrote:asks:)`` if it is named after another type.
  func claim(for type: TypeName) async throws
}

extension SQLiteStorageEngine: NamespacedStorage {
  nonisolated var place: String { "\(file.location.path)\0\(namespace)" }

  func claim(for type: TypeName) async throws {
    try openSession().claim(naming, for: type)
  }
}

extension DiskStorageEngine: NamespacedStorage {
  nonisolated var place: String { folder.path }
  nonisolated var namespace: String { folder.path }

  func claim(for type: TypeName) async throws {}
}
