internal import Pantry

extension ImageLibrary {
  /// Changes the captions of favorites, in one step that can be undone; an empty one removes them.
  ///
  /// - Returns: how many had another caption.
  @discardableResult
  package func setCaption(_ caption: String?, of images: [RemoteImage]) async throws -> Int {
    let caption = caption?.isEmpty == true ? nil : caption
    return try await edit(images) { favorite in
      guard favorite.caption != caption else { return nil }
      defer { favorite.caption = caption }
      return .captioned(id: favorite.id, from: favorite.caption, to: caption)
    }
  }

  /// Sets the tags of favorites, in one step that can be undone.
  ///
  /// - Returns: how many had other tags.
  @discardableResult
  package func setTags(_ tags: [String], of images: [RemoteImage]) async throws -> Int {
    try await edit(images) { favorite in
      guard favorite.tags != tags else { return nil }
      defer { favorite.tags = tags }
      return .tagged(id: favorite.id, from: favorite.tags, to: tags)
    }
  }

  /// Adds tags to favorites and takes tags away, in one step that can be undone.
  ///
  /// - Parameter collection: a collection to keep in the same step, if any favorite is changed.
  /// - Returns: how many had other tags.
  @discardableResult
  package func changeTags(
    _ change: TagEdit, of images: [RemoteImage], keeping collection: SavedFilter? = nil
  ) async throws -> Int {
    try await edit(images, keeping: collection) { favorite in
      let tags = change.applied(to: favorite.tags)
      guard favorite.tags != tags else { return nil }
      defer { favorite.tags = tags }
      return .tagged(id: favorite.id, from: favorite.tags, to: tags)
    }
  }

  /// Changes favorites in one step.
  ///
  /// - Parameter change: changes one, and returns what it did; nil if it has changed nothing.
  private func edit(
    _ images: [RemoteImage], keeping collection: SavedFilter? = nil,
    _ change: @escaping @MainActor (inout RemoteImage) -> LibraryChange.Kind?
  ) async throws -> Int {
    try await favorites.transaction(with: savedFilters, history.store) { [self] t in
      var changes: [LibraryChange.Kind] = []
      var changed: [RemoteImage] = []
      for image in images {
        guard var favorite = favorites[image.id], let kind = change(&favorite) else { continue }
        favorite.changedBy = author
        changes.append(kind)
        changed.append(favorite)
      }
      guard let first = changes.first else { return 0 }
      t.add(changed, to: favorites)
      if let collection, present(collection.id) == nil {
        t.add(collection, to: savedFilters)
        changes.append(.collection(from: nil, to: collection))
      }
      record(changes.count == 1 ? first : .several(changes), in: t)
      return changed.count
    }
  }
}
