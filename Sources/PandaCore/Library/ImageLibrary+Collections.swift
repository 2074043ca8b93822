internal import Pantry

/// The collections, which are filters with names.
///
/// In a shared library, all users have the same.
extension ImageLibrary {
  /// The collections by name; observed.
  ///
  /// The first access starts reading them from disk.
  package var collections: [SavedFilter] {
    savedFilters.items.filter { $0.deletedAt == nil }.sorted { $0.id < $1.id }
  }

  /// Waits until the collections have been read, and those of an earlier version copied.
  ///
  /// Versions before 0.3.0 kept them in the state directory, where they stay for these. One whose
  /// name the library knows is not copied, even if it was deleted here.
  ///
  /// - Throws: the engine's error.
  package func collectionsHaveBeenRead() async throws {
    try await savedFilters.itemsHaveLoaded()
    let former = formerCollections()
    guard !former.allSatisfy({ savedFilters.contains(identifier: $0.id) }) else { return }
    try await savedFilters.transaction { [self] t in
      t.add(former.filter { !savedFilters.contains(identifier: $0.id) }, to: savedFilters)
    }
  }

  /// Keeps a collection, unless there is another one with its name; it can be undone.
  ///
  /// - Returns: whether it is there now.
  @discardableResult
  package func keep(_ collection: SavedFilter) async throws -> Bool {
    try await savedFilters.transaction(with: history.store) { [self] t in
      if let other = present(collection.id) { return other.filter == collection.filter }
      t.add(collection, to: savedFilters)
      record(.collection(from: nil, to: collection), in: t)
      return true
    }
  }

  /// Deletes a collection, which can be undone; its favorites stay.
  package func delete(_ collection: SavedFilter) async throws {
    try await savedFilters.transaction(with: history.store) { [self] t in
      guard let former = present(collection.id) else { return }
      replace(former, by: nil, in: t)
      record(.collection(from: former, to: nil), in: t)
    }
  }

  /// The collection that was deleted in the last step that can be undone; observed.
  package var lastDeletedCollection: SavedFilter? {
    guard case .collection(let former?, nil)? = history.lastDone?.kind else { return nil }
    return former
  }

  /// Returns why a collection would match nothing; nil if its filter is resolved.
  ///
  /// The collections have been read.
  package func unresolved(_ collection: SavedFilter) -> FavoritesFilter.Unresolved? {
    let others = collections.filter { $0.id != collection.id }
    return FavoritesFilter(collection.filter, collections: others + [collection]).unresolved
  }

  /// Returns the collection with an identifier; nil if there is none, or it was deleted.
  func present(_ id: String) -> SavedFilter? {
    savedFilters[id].flatMap { $0.deletedAt == nil ? $0 : nil }
  }

  /// Puts a collection, or none, in the place of another one, or of none.
  func replace(_ old: SavedFilter?, by new: SavedFilter?, in transaction: Transaction) {
    if let new { return transaction.add(new, to: savedFilters) }
    guard let old else { return }
    transaction.update(old.id, in: savedFilters) { [now] in $0.deletedAt = now() }
  }

  /// Adds the collections of another library or an export.
  ///
  /// One whose name has another filter here gets a number: "Snow 2".
  ///
  /// - Returns: how many are new.
  func add(_ others: [SavedFilter], in transaction: Transaction) -> Int {
    var known = Dictionary(collections.map { ($0.id, $0.filter) }) { one, _ in one }
    var count = 0
    for other in others {
      var new = SavedFilter(name: other.name, filter: other.filter)
      var number = 1
      while let filter = known[new.id], filter != new.filter {
        number += 1
        new = SavedFilter(name: "\(other.name) \(number)", filter: other.filter)
      }
      guard known.updateValue(new.filter, forKey: new.id) == nil else { continue }
      transaction.add(new, to: savedFilters)
      count += 1
    }
    return count
  }
}
