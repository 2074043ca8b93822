package import FoundationEssentials
internal import Pantry

/// Reads parts of the stores without loading all of them, or several stores at once.
extension ImageLibrary {
  /// Returns the addresses of all favorites without loading them, the last saved one at the end.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func addresses() async throws -> [String] {
    try await favorites.storage.allKeys().map(\.rawValue)
  }

  /// Returns the number of favorites without loading them.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  package func count() async throws -> Int { try await favorites.storage.keyCount() }

  /// Reads one favorite without loading the others; nil if there is none with this address.
  ///
  /// - Throws: the engine's error if the storage cannot be read, ``LoadIssue`` if the row cannot.
  package func favorite(_ address: String) async throws -> RemoteImage? {
    try await ObjectStorage<RemoteImage>(
      storage: favorites.storage, upgrades: RemoteImage.upgrades
    )
    .object(forKey: CacheKey(verbatim: address))
  }

  /// Returns the trash entry with a picture's address; observed.
  package func trashed(_ id: String) -> TrashedImage? { trash[id] }

  /// Parses a filter, after reading the collections if it names one.
  ///
  /// - Throws: the engine's error if they cannot be read.
  package func filter(_ text: String, now: () -> Date) async throws -> FavoritesFilter {
    let filter = FavoritesFilter(text, collections: collections, now: now)
    guard filter.unresolved != nil else { return filter }
    try await collectionsHaveBeenRead()
    return FavoritesFilter(text, collections: collections, now: now)
  }

  /// Returns the visible pictures that were shown before the given one, oldest first; observed.
  ///
  /// - Parameter image: nil for all pictures that were shown.
  package func seen(before image: RemoteImage?) -> [SeenImage] {
    allSeen(before: image).filter { !isKnownToBeHidden($0.image) }
  }

  /// Returns whether a picture was shown before the given one; observed.
  package func hasSeen(before image: RemoteImage?) -> Bool {
    allSeen(before: image).contains { !isKnownToBeHidden($0.image) }
  }

  private func allSeen(before image: RemoteImage?) -> ArraySlice<SeenImage> {
    let items = seen.items
    return items[
      ..<(image.flatMap { image in items.lastIndex { $0.id == image.id } } ?? items.endIndex)]
  }
}
