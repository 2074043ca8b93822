internal import FoundationEssentials
internal import Pantry

/// Pictures that are being imported.
///
/// A transaction has all its bytes in memory. So those of an import are stored before, a few at a
/// time, as entries of a store that no view shows; a transaction then makes them favorites, without
/// moving a byte.
@MainActor
struct IncomingPictures {
  let library: ImageLibrary

  /// Stores the bytes of pictures to be imported; they are on disk when this returns.
  func store(_ pictures: [Attachment], of importID: String) async throws {
    let moment = library.now()
    try await library.incoming.add(
      pictures.map { IncomingPicture(importID: importID, picture: $0, storedAt: moment) })
  }

  /// Makes imported pictures favorites, in one step that can be undone, and adds collections.
  ///
  /// - Returns: how many of the pictures were not yet favorites, and of the collections new.
  func accept(
    _ images: [RemoteImage], with collections: [SavedFilter], of importID: String
  ) async throws -> (images: Int, collections: Int) {
    try await library.favorites.transaction(
      with: library.incoming, library.savedFilters, library.history.store
    ) { t in
      t.remove(entries(of: importID), from: library.incoming)
      let added = library.add(collections, in: t)
      let new = images.map(library.recognized).filter {
        !library.favorites.contains(identifier: $0.id)
      }
      .map(library.signed)
      guard !new.isEmpty else { return (0, added) }
      t.add(new, to: library.favorites)
      library.record(.favorited(ids: new.map(\.id)), in: t)
      return (new.count, added)
    }
  }

  func discard(of importID: String) async throws {
    try await library.incoming.transaction { t in
      t.remove(entries(of: importID), from: library.incoming)
    }
  }

  /// Deletes what imports have stored that were killed more than a day ago.
  func discardAbandoned() async throws {
    try await library.incoming.itemsHaveLoaded()
    guard !library.incoming.items.isEmpty else { return }
    try await library.incoming.transaction { t in
      let moment = library.now()
      // Also what a clock dated that was ahead.
      t.remove(
        library.incoming.items.filter { abs($0.storedAt.timeIntervalSince(moment)) > 86_400 },
        from: library.incoming)
    }
  }

  private func entries(of importID: String) -> [IncomingPicture] {
    library.incoming.items.filter { $0.id.hasPrefix("\(importID)/") }
  }
}
