internal import FoundationEssentials
internal import Pantry

extension ImageLibrary {
  /// Makes pictures favorites, in one step that can be undone.
  ///
  /// Their rows and their bytes are on disk when this returns: all of them, or none if it throws.
  ///
  /// Former favorites get their captions and tags back. A picture is in ``favorites`` once it is
  /// stored, half a millisecond later. A single one in a library on another machine is there
  /// immediately, and rolled back if storing fails.
  ///
  /// - Parameter step: the identifier of the step; calls with the same one extend it, so that a
  ///   long list can be saved in parts. Nil begins one.
  /// - Returns: those that were not yet favorites, as saved.
  @discardableResult
  package func save(_ images: [RemoteImage], step: String? = nil) async throws -> [RemoteImage] {
    guard isShared, images.count == 1 else { return try await keep(images, step) }
    // While the favorites load, no view shows whether the picture is one.
    try await favorites.itemsHaveLoaded()
    var image = signed(recognized(images[0]))
    guard !favorites.contains(identifier: image.id) else { return [] }
    image.savedAt = nextMoment
    do {
      return try await favorites.optimistically(favorites.add(image)) { [image] in
        let saved = try await keep([image], step)
        // An error takes ours back, and shows what the other one has saved.
        if saved.isEmpty { throw AnotherWasFaster() }
        return saved
      }
    } catch is AnotherWasFaster {
      return []
    }
  }

  /// Another client has made the same picture a favorite meanwhile.
  private struct AnotherWasFaster: Error {}

  /// Returns a new favorite with the name of who saves it, in a shared library.
  func signed(_ image: RemoteImage) -> RemoteImage {
    var image = image
    image.savedBy = author
    image.changedBy = author
    return image
  }

  private func keep(_ images: [RemoteImage], _ step: String?) async throws -> [RemoteImage] {
    try await favorites.transaction(with: trash, history.store) { [self] t in
      var moment = nextMoment
      var known: Set<String> = []
      var saved: [RemoteImage] = []
      for image in images {
        var image = signed(recognized(image))
        let isNew = PictureTraits(image).content.map { known.insert($0).inserted } ?? true
        guard isNew, known.insert(image.id).inserted, t.stored(image.id, in: favorites) == nil
        else { continue }
        if let former = trash[image.id]?.image {
          // The picture on a card may be older than the removed favorite.
          image.caption = former.caption
          image.tags = former.tags
        }
        // A shown one has its moment already.
        image.savedAt = favorites[image.id]?.savedAt ?? moment
        moment += 0.001
        saved.append(image)
      }
      guard !saved.isEmpty else { return [] }
      t.add(saved, to: favorites)
      history.extend(
        step ?? UUID().uuidString, withFavorites: saved.map(\.id), at: now(), in: t)
      return saved
    }
  }

  /// Moves favorites to the trash.
  ///
  /// - Parameter isAll: whether the user asked to remove all favorites.
  /// - Returns: how many of them were favorites.
  @discardableResult
  package func remove(_ images: [RemoteImage], isAll: Bool = false) async throws -> Int {
    try await favorites.transaction(with: trash, history.store) { [self] t in
      let ids = moveToTrash(images.map(\.id), in: t)
      guard !ids.isEmpty else { return 0 }
      record(isAll ? .cleared(ids: ids) : .removed(ids: ids), in: t)
      return ids.count
    }
  }

  /// Makes trashed pictures favorites again, in their former places.
  ///
  /// - Returns: how many of them were not yet favorites.
  @discardableResult
  package func restore(_ entries: [TrashedImage]) async throws -> Int {
    try await favorites.transaction(with: history.store) { [self] t in
      let images = entries.map { touched($0.image) }.filter {
        !favorites.contains(identifier: $0.id)
      }
      guard !images.isEmpty else { return 0 }
      t.add(images, to: favorites)
      record(.restored(ids: images.map(\.id)), in: t)
      return images.count
    }
  }

  /// The pictures in the trash, the last removed one at the end; observed.
  package var trashed: [TrashedImage] {
    trash.items.filter { !favorites.contains(identifier: $0.id) }.sorted {
      $0.removedAt < $1.removedAt
    }
  }

  /// Deletes pictures that were in the trash for more than ``trashDays``: see ``TrashEmptying``.
  ///
  /// - Returns: how many pictures were deleted.
  @discardableResult
  package func emptyTrash() async throws -> Int { try await TrashEmptying(library: self).run() }

  /// Deletes pictures from the trash for good, with their bytes.
  ///
  /// - Returns: how many of them were in the trash.
  @discardableResult
  package func purge(_ entries: [TrashedImage]) async throws -> Int {
    try await trash.transaction(with: favorites) { [self] t in
      let present = entries.filter { trash.contains(identifier: $0.id) }
      t.remove(present, from: trash)
      return present.count { !favorites.contains(identifier: $0.id) }
    }
  }

  /// Returns a favorite with the name of who changed it last, in a shared library.
  func touched(_ image: RemoteImage) -> RemoteImage {
    var image = image
    image.changedBy = author
    return image
  }

  /// Loads the stores that most operations need.
  func load() async throws {
    try await favorites.itemsHaveLoaded()
    try await trash.itemsHaveLoaded()
    try await history.store.itemsHaveLoaded()
  }

  /// Moves the favorites among these pictures to the trash.
  ///
  /// Each date is later than all known earlier ones: a clock that was set back must not shorten the
  /// time in the trash. Nor does one that was years ahead count for those after it.
  ///
  /// - Returns: the identifiers of the removed favorites.
  func moveToTrash(_ ids: [String], in transaction: Transaction) -> [String] {
    let present = ids.compactMap { favorites[$0] }
    guard !present.isEmpty else { return [] }
    let removedAt = momentAfter(
      favorites.items.compactMap(\.savedAt) + trash.items.map(\.removedAt))
    transaction.add(
      present.map { TrashedImage(image: $0, removedAt: removedAt, removedBy: author) }, to: trash)
    if present.count == favorites.items.count, favorites.loadIssues.isEmpty {
      transaction.removeAll(from: favorites)
    } else {
      transaction.remove(present, from: favorites)
    }
    return present.map(\.id)
  }

  func record(_ kind: LibraryChange.Kind, in transaction: Transaction) {
    history.append(LibraryChange(date: now(), kind: kind), in: transaction)
  }

  /// 1 January 2026: a clock before the first release of Panda is wrong.
  nonisolated static let leastPlausibleDate = Date(timeIntervalSince1970: 1_767_225_600)

  /// The date for a new favorite: just after the newest one, so that newest stays newest.
  private var nextMoment: Date {
    momentAfter(favorites.items.suffix(64).lazy.compactMap { $0.savedAt.map { $0 + 0.001 } })
  }

  /// Returns now, or the latest of some dates if the clock was set back since.
  ///
  /// Dates that are yet to come count only for a clock that is wrong itself.
  private func momentAfter(_ dates: some Sequence<Date>) -> Date {
    let now = now()
    let end = now < Self.leastPlausibleDate ? Date.distantFuture : now + 86_400
    return dates.reduce(now) { $1 <= end ? max($0, $1) : $0 }
  }
}
