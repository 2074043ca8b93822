internal import FoundationEssentials
internal import Pantry

extension ImageLibrary {
  /// Makes a picture a favorite: its row and its bytes are on disk when this returns.
  ///
  /// One that was a favorite before has its caption and its tags again.
  public func save(_ image: RemoteImage) async throws {
    try await inTurn { [self] in
      try await load()
      guard !favorites.contains(identifier: image.id) else { return }
      var image = image
      if let former = trash[image.id]?.image {
        image.caption = image.caption ?? former.caption
        if image.tags.isEmpty { image.tags = former.tags }
      }
      image.savedAt = nextMoment
      try await perform(.favorited(ids: [image.id])) { try await self.favorites.add(image) }
    }
  }

  /// Removes favorites; they are in the trash then.
  ///
  /// - Parameter isAll: whether the person asked to remove all that there are.
  public func remove(_ images: [RemoteImage], isAll: Bool = false) async throws {
    try await inTurn { [self] in
      try await load()
      let present = images.compactMap { favorites[$0.id] }
      guard !present.isEmpty else { return }
      try await discard(present)
      let ids = present.map(\.id)
      try await perform(isAll ? .cleared(ids: ids) : .removed(ids: ids)) {
        try await self.favorites.remove(present)
      }
    }
  }

  /// Makes what is in the trash favorites again, where they were.
  public func restore(_ entries: [TrashedImage]) async throws {
    try await inTurn { [self] in
      try await load()
      let images = entries.map(\.image).filter { !favorites.contains(identifier: $0.id) }
      guard !images.isEmpty else { return }
      try await perform(.restored(ids: images.map(\.id))) {
        try await self.favorites.add(images)
      }
    }
  }

  /// Changes a favorite's caption; an empty one is none.
  public func setCaption(_ caption: String?, of image: RemoteImage) async throws {
    try await inTurn { [self] in
      try await load()
      guard var favorite = favorites[image.id] else { return }
      let former = favorite.caption
      let caption = caption?.isEmpty == true ? nil : caption
      guard caption != former else { return }
      favorite.caption = caption
      try await perform(.captioned(id: image.id, from: former, to: caption)) { [favorite] in
        try await self.favorites.add(favorite)
      }
    }
  }

  /// Changes a favorite's tags.
  public func setTags(_ tags: [String], of image: RemoteImage) async throws {
    try await inTurn { [self] in
      try await load()
      guard var favorite = favorites[image.id], favorite.tags != tags else {
        return
      }
      let former = favorite.tags
      favorite.tags = tags
      try await perform(.tagged(id: image.id, from: former, to: tags)) { [favorite] in
        try await self.favorites.add(favorite)
      }
    }
  }

  /// What is in the trash, what was removed last at the end; observed.
  public var trashed: [TrashedImage] {
    trash.items.filter { !favorites.contains(identifier: $0.id) }.sorted {
      $0.removedAt < $1.removedAt
    }
  }

  /// Deletes what has been in the trash for longer than ``trashDays``: all that is ever deleted.
  ///
  /// - Returns: how many pictures are gone.
  @discardableResult
  public func emptyTrash() async throws -> Int {
    try await inTurn { [self] in
      try await load()
      let oldest = now() - Double(Self.trashDays) * 86_400
      let expired = trash.items.filter { $0.removedAt < oldest }
      guard !expired.isEmpty else { return 0 }
      let gone = expired.count { !favorites.contains(identifier: $0.id) }
      try await trash.remove(expired)
      return gone
    }
  }

  /// Loads the stores that an operation needs.
  func load() async throws {
    try await favorites.itemsHaveLoaded()
    try await trash.itemsHaveLoaded()
    try await history.store.itemsHaveLoaded()
  }

  /// Puts favorites into the trash, before they are taken away.
  func discard(_ images: [RemoteImage]) async throws {
    let removedAt = now()
    try await trash.add(images.map { TrashedImage(image: $0, removedAt: removedAt) })
  }

  /// Notes a step and does it; if it fails, the note goes again.
  func perform(
    _ kind: LibraryChange.Kind, _ work: @MainActor () async throws -> Void
  ) async throws {
    let change = LibraryChange(date: now(), kind: kind)
    try await history.append(change)
    do {
      try await work()
    } catch {
      // A step that stays though nothing was done is passed over by undo.
      try? await history.forget(change)  // see above
      throw error
    }
  }

  /// Now, or a moment after the newest favorite if the clock was turned back: newest stays newest.
  private var nextMoment: Date {
    let newest = favorites.items.suffix(64).compactMap(\.savedAt).max() ?? .distantPast
    return max(now(), newest + 0.001)
  }
}
