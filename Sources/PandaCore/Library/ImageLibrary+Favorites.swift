internal import FoundationEssentials
internal import Pantry

extension ImageLibrary {
  /// Makes a picture a favorite: its row and its bytes are on disk when this returns.
  ///
  /// One that was a favorite before gets its caption and tags back. It is among ``favorites`` once
  /// it is stored, half a millisecond later; in a library on another machine it is there at once,
  /// and taken back if storing fails.
  ///
  /// - Returns: whether it was not a favorite already.
  @discardableResult
  package func save(_ image: RemoteImage) async throws -> Bool {
    // While the favorites load, no view shows whether it is one.
    guard isRemote, favorites.hasLoaded else { return try await keep(image, isShown: false) }
    guard !favorites.contains(identifier: image.id) else { return false }
    var image = image
    image.savedAt = nextMoment
    return try await favorites.optimistically(favorites.add(image)) { [image] in
      try await keep(image, isShown: true)
    }
  }

  /// Whether a commit takes long enough for a user to notice.
  private var isRemote: Bool {
    !(favorites.storage is SQLiteStorageEngine || favorites.storage is MemoryStorageEngine)
  }

  private func keep(_ image: RemoteImage, isShown: Bool) async throws -> Bool {
    try await favorites.transaction(with: trash, history.store) { [self] t in
      guard isShown || !favorites.contains(identifier: image.id) else { return false }
      var image = image
      if let former = trash[image.id]?.image {
        // What was shown on a card may be older than what was removed.
        image.caption = former.caption
        image.tags = former.tags
      }
      if !isShown { image.savedAt = nextMoment }
      t.add(image, to: favorites)
      note(.favorited(ids: [image.id]), in: t)
      return true
    }
  }

  /// Removes favorites; they are in the trash then.
  ///
  /// - Parameter isAll: whether the person asked to remove all that there are.
  /// - Returns: how many of them were favorites.
  @discardableResult
  package func remove(_ images: [RemoteImage], isAll: Bool = false) async throws -> Int {
    try await favorites.transaction(with: trash, history.store) { [self] t in
      let ids = takeAway(images.map(\.id), in: t)
      guard !ids.isEmpty else { return 0 }
      note(isAll ? .cleared(ids: ids) : .removed(ids: ids), in: t)
      return ids.count
    }
  }

  /// Makes what is in the trash favorites again, where they were.
  ///
  /// - Returns: how many of them were not favorites already.
  @discardableResult
  package func restore(_ entries: [TrashedImage]) async throws -> Int {
    try await favorites.transaction(with: history.store) { [self] t in
      let images = entries.map(\.image).filter { !favorites.contains(identifier: $0.id) }
      guard !images.isEmpty else { return 0 }
      t.add(images, to: favorites)
      note(.restored(ids: images.map(\.id)), in: t)
      return images.count
    }
  }

  /// Changes a favorite's caption; an empty one is none.
  package func setCaption(_ caption: String?, of image: RemoteImage) async throws {
    let caption = caption?.isEmpty == true ? nil : caption
    try await favorites.transaction(with: history.store) { [self] t in
      guard let favorite = favorites[image.id], favorite.caption != caption else { return }
      t.update(image.id, in: favorites) { $0.caption = caption }
      note(.captioned(id: image.id, from: favorite.caption, to: caption), in: t)
    }
  }

  /// Changes a favorite's tags.
  package func setTags(_ tags: [String], of image: RemoteImage) async throws {
    try await favorites.transaction(with: history.store) { [self] t in
      guard let former = favorites[image.id]?.tags, former != tags else { return }
      t.update(image.id, in: favorites) { $0.tags = tags }
      note(.tagged(id: image.id, from: former, to: tags), in: t)
    }
  }

  /// What is in the trash, what was removed last at the end; observed.
  package var trashed: [TrashedImage] {
    trash.items.filter { !favorites.contains(identifier: $0.id) }.sorted {
      $0.removedAt < $1.removedAt
    }
  }

  /// Deletes what has been in the trash for longer than ``trashDays``: all that is ever deleted.
  ///
  /// A computer without a battery for its clock may begin in 1970: what such a clock has dated is
  /// dated anew instead, and by such a clock nothing is deleted.
  ///
  /// - Returns: how many pictures are gone.
  @discardableResult
  package func emptyTrash() async throws -> Int {
    try await trash.transaction(with: favorites) { [self] t in
      let moment = now()
      guard moment >= Self.leastPlausibleDate else { return 0 }
      let misdated = trash.items.filter { $0.removedAt < Self.leastPlausibleDate }
      if !misdated.isEmpty {
        t.add(misdated.map { TrashedImage(image: $0.image, removedAt: moment) }, to: trash)
      }
      let oldest = moment - Double(Self.trashDays) * 86_400
      let expired = trash.items.filter {
        $0.removedAt < oldest && $0.removedAt >= Self.leastPlausibleDate
      }
      t.remove(expired, from: trash)
      return expired.count { !favorites.contains(identifier: $0.id) }
    }
  }

  /// Loads the stores that most operations need.
  func load() async throws {
    try await favorites.itemsHaveLoaded()
    try await trash.itemsHaveLoaded()
    try await history.store.itemsHaveLoaded()
  }

  /// Puts those of the pictures that are favorites into the trash.
  ///
  /// None is dated before what is known to have been before: a clock that was turned back must not
  /// shorten the time in the trash.
  ///
  /// - Returns: which they were.
  func takeAway(_ ids: [String], in transaction: Transaction) -> [String] {
    let present = ids.compactMap { favorites[$0] }
    guard !present.isEmpty else { return [] }
    let removedAt = [
      favorites.items.lazy.compactMap(\.savedAt).max(), trash.items.lazy.map(\.removedAt).max(),
    ].reduce(now()) { max($0, $1 ?? .distantPast) }
    transaction.add(present.map { TrashedImage(image: $0, removedAt: removedAt) }, to: trash)
    transaction.remove(present, from: favorites)
    return present.map(\.id)
  }

  /// Notes a step that can be undone.
  func note(_ kind: LibraryChange.Kind, in transaction: Transaction) {
    history.append(LibraryChange(date: now(), kind: kind), in: transaction)
  }

  /// 1 January 2026: Panda is younger than any clock that is right and says less.
  private static let leastPlausibleDate = Date(timeIntervalSince1970: 1_767_225_600)

  /// Now, or a moment after the newest favorite if the clock was turned back: newest stays newest.
  private var nextMoment: Date {
    let newest = favorites.items.suffix(64).compactMap(\.savedAt).max() ?? .distantPast
    return max(now(), newest + 0.001)
  }
}
