internal import FoundationEssentials
internal import Pantry

extension ImageLibrary {
  /// Makes a picture a favorite: its row and its bytes are on disk when this returns.
  ///
  /// It is among ``favorites`` at once, before anything is written; if that fails, it is there no
  /// longer. One that was a favorite before has its caption and its tags again.
  ///
  /// - Returns: whether it was not a favorite already.
  @discardableResult
  public func save(_ image: RemoteImage) async throws -> Bool {
    // While they are still being read nobody sees whether it is one.
    guard favorites.hasLoaded else { return try await saveInTurn(image, isShown: false) }
    guard !favorites.contains(identifier: image.id) else { return false }
    var image = image
    image.savedAt = nextMoment
    return try await favorites.optimistically(favorites.add(image)) { [image] in
      try await saveInTurn(image, isShown: true)
    }
  }

  private func saveInTurn(_ image: RemoteImage, isShown: Bool) async throws -> Bool {
    try await inTurn { [self] in
      try await load()
      guard isShown || !favorites.contains(identifier: image.id) else { return false }
      var image = image
      if let former = trash[image.id]?.image {
        // What was shown on a card may be older than what was removed.
        image.caption = former.caption
        image.tags = former.tags
      }
      if !isShown { image.savedAt = nextMoment }
      try await perform(.favorited(ids: [image.id])) { try await self.favorites.add(image) }
      return true
    }
  }

  /// Removes favorites; they are in the trash then.
  ///
  /// - Parameter isAll: whether the person asked to remove all that there are.
  /// - Returns: how many of them were favorites.
  @discardableResult
  public func remove(_ images: [RemoteImage], isAll: Bool = false) async throws -> Int {
    try await inTurn { [self] in
      try await load()
      let present = images.compactMap { favorites[$0.id] }
      guard !present.isEmpty else { return 0 }
      try await discard(present)
      let ids = present.map(\.id)
      try await perform(isAll ? .cleared(ids: ids) : .removed(ids: ids)) {
        try await self.favorites.remove(present)
      }
      return present.count
    }
  }

  /// Makes what is in the trash favorites again, where they were.
  ///
  /// - Returns: how many of them were not favorites already.
  @discardableResult
  public func restore(_ entries: [TrashedImage]) async throws -> Int {
    try await inTurn { [self] in
      try await load()
      let images = entries.map(\.image).filter { !favorites.contains(identifier: $0.id) }
      guard !images.isEmpty else { return 0 }
      try await perform(.restored(ids: images.map(\.id))) {
        try await self.favorites.add(images)
      }
      return images.count
    }
  }

  /// Changes a favorite's caption; an empty one is none.
  public func setCaption(_ caption: String?, of image: RemoteImage) async throws {
    try await inTurn { [self] in
      try await load()
      guard let favorite = favorites[image.id] else { return }
      let former = favorite.caption
      let caption = caption?.isEmpty == true ? nil : caption
      guard caption != former else { return }
      try await perform(.captioned(id: image.id, from: former, to: caption)) {
        try await self.favorites.update(image.id) { $0.caption = caption }
      }
    }
  }

  /// Changes a favorite's tags.
  public func setTags(_ tags: [String], of image: RemoteImage) async throws {
    try await inTurn { [self] in
      try await load()
      guard let former = favorites[image.id]?.tags, former != tags else { return }
      try await perform(.tagged(id: image.id, from: former, to: tags)) {
        try await self.favorites.update(image.id) { $0.tags = tags }
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
  /// A computer without a battery for its clock may begin in 1970: what such a clock has dated is
  /// dated anew instead, and by such a clock nothing is deleted.
  ///
  /// - Returns: how many pictures are gone.
  @discardableResult
  public func emptyTrash() async throws -> Int {
    try await inTurn { [self] in
      try await load()
      let moment = now()
      guard moment >= Self.leastPlausibleDate else { return 0 }
      let misdated = trash.items.filter { $0.removedAt < Self.leastPlausibleDate }
      if !misdated.isEmpty {
        try await trash.add(misdated.map { TrashedImage(image: $0.image, removedAt: moment) })
      }
      let oldest = moment - Double(Self.trashDays) * 86_400
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
  ///
  /// None is dated before what is known to have been before: a clock that was turned back must not
  /// shorten the time in the trash.
  func discard(_ images: [RemoteImage]) async throws {
    let removedAt = [
      favorites.items.lazy.compactMap(\.savedAt).max(), trash.items.lazy.map(\.removedAt).max(),
    ].reduce(now()) { max($0, $1 ?? .distantPast) }
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

  /// 1 January 2026: Panda is younger than any clock that is right and says less.
  private static let leastPlausibleDate = Date(timeIntervalSince1970: 1_767_225_600)

  /// Now, or a moment after the newest favorite if the clock was turned back: newest stays newest.
  private var nextMoment: Date {
    let newest = favorites.items.suffix(64).compactMap(\.savedAt).max() ?? .distantPast
    return max(now(), newest + 0.001)
  }
}
