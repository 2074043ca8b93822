internal import FoundationEssentials
internal import Pantry

/// Pictures that are being imported.
///
/// A transaction has all its bytes in memory. So those of an import are stored before, a few at a
/// time, as entries of a store that no view shows; a transaction then makes them favorites, without
/// moving a byte.
extension ImageLibrary {
  /// Stores the bytes of pictures to be imported; they are on disk when this returns.
  func storeIncoming(_ pictures: [Attachment], of importID: String) async throws {
    let moment = now()
    try await incoming.add(
      pictures.map { IncomingPicture(importID: importID, picture: $0, storedAt: moment) })
  }

  /// Makes imported pictures favorites, in one step that can be undone, and adds collections.
  ///
  /// - Returns: how many of the pictures were not yet favorites, and of the collections new.
  func acceptIncoming(
    _ images: [RemoteImage], with collections: [SavedFilter], of importID: String
  ) async throws -> (images: Int, collections: Int) {
    try await favorites.transaction(with: incoming, savedFilters, history.store) { [self] t in
      t.remove(entries(of: importID), from: incoming)
      let added = add(collections, in: t)
      let new = images.map(recognized).filter { !favorites.contains(identifier: $0.id) }
        .map(signed)
      guard !new.isEmpty else { return (0, added) }
      t.add(new, to: favorites)
      note(.favorited(ids: new.map(\.id)), in: t)
      return (new.count, added)
    }
  }

  /// Deletes what an import has stored.
  func discardIncoming(of importID: String) async throws {
    try await incoming.transaction { [self] t in t.remove(entries(of: importID), from: incoming) }
  }

  /// Deletes what imports have stored that were killed more than a day ago.
  func discardAbandonedIncoming() async throws {
    try await incoming.itemsHaveLoaded()
    guard !incoming.items.isEmpty else { return }
    try await incoming.transaction { [self] t in
      let moment = now()
      // Also what a clock dated that was ahead.
      t.remove(
        incoming.items.filter { abs($0.storedAt.timeIntervalSince(moment)) > 86_400 },
        from: incoming)
    }
  }

  private func entries(of importID: String) -> [IncomingPicture] {
    incoming.items.filter { $0.id.hasPrefix("\(importID)/") }
  }
}
