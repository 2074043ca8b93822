internal import FoundationEssentials
package import Pantry

/// Reads favorites from the file of a library that is not opened.
///
/// Nothing is created, written, upgraded or recovered, and no lock is waited for: each call throws
/// instead.
package struct FavoritesReader: Sendable {
  private let favorites: ObjectStorage<RemoteImage>

  /// Reads the file in a directory, which need not exist.
  package init(in directory: StorageDirectory) {
    favorites = ObjectStorage(
      storage: SQLiteStorageEngine.withoutWaiting(
        directory: directory, databaseFilename: StorageDirectory.libraryFile,
        namespace: RemoteImage.namespace), upgrades: RemoteImage.upgrades)
  }

  package func count() async throws -> Int { try await favorites.storage.keyCount() }

  /// Returns a favorite by its address; nil if there is none.
  package func favorite(_ address: String) async throws -> RemoteImage? {
    try await favorites.object(forKey: CacheKey(verbatim: address))
  }

  /// Returns all favorites that can be read.
  @MainActor
  package func all() async throws -> [RemoteImage] {
    let store = Store<RemoteImage>.images(on: favorites.storage)
    store.leavesCoresFree = false
    try await store.itemsHaveLoaded()
    return store.items
  }
}
