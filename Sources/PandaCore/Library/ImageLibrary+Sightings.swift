package import FoundationEssentials
internal import Pantry

/// The memory of favorites: when each was last seen, and how often.
///
/// A favorite is seen on the card, in a slideshow, as the favorite of the day or in a greeting; in
/// a list, or as a thumbnail, it is not. The memory is in the file on this machine, also that of a
/// shared library.
extension ImageLibrary {
  /// A favorite that was seen since the memory was written last.
  struct UnwrittenSighting: Sendable {
    let id: String
    var count: Int
    var lastSeenAt: Date
    /// Whether ``FavoriteQueue`` chose it, rather than the user.
    var isChoice: Bool
  }

  /// The most favorites that are seen before the memory is written, whatever else is.
  private static let unwrittenLimit = 32
  /// The rows of pictures that are no favorites any more are removed when there are more.
  private static let leftLimit = 200

  package func sightingsHaveLoaded() async throws { try await sightings.itemsHaveLoaded() }

  /// Notes that a favorite is seen.
  ///
  /// That counts at once. It is written together with the next picture that is recorded, or when
  /// the library is closed: nothing waits for it. A window that is closed before forgets it.
  package func noteSighting(of id: String) {
    var entry = UnwrittenSighting(id: id, count: 0, lastSeenAt: now(), isChoice: false)
    if let known = unwritten.firstIndex(where: { $0.id == id }) {
      entry = unwritten.remove(at: known)
    }
    entry.count += 1
    entry.lastSeenAt = now()
    if chosen == id { entry.isChoice = true }
    chosen = nil
    unwritten.append(entry)
    if unwritten.count > Self.unwrittenLimit { writeSightingsLater() }
  }

  /// Lets the next sighting count as a choice, if it is that of one that was chosen now.
  package func willShow(_ choice: FavoritesReader.Choice) {
    chosen = choice.isNew ? choice.image.id : nil
  }

  /// Writes the memory beside what the user does, if some of it is so many seconds old.
  package func writeSightings(olderThan seconds: Double) {
    guard let first = unwritten.first, now() >= first.lastSeenAt + seconds else { return }
    writeSightingsLater()
  }

  private func writeSightingsLater() {
    guard !isWritingSightings else { return isWritingDue = true }
    // What fails is written with what follows, or not at all: it is but a memory.
    Task { try? await writeSightings() }
  }

  /// Writes what is not written yet, unless that is under way.
  ///
  /// - Throws: the engine's error.
  package func writeSightings() async throws {
    try await withSightings { library in
      try await library.sightings.transaction { library.write(in: $0) }
    }
  }

  /// Runs a transaction that writes the memory, too, and forgets what it returns as written.
  ///
  /// - Parameter write: calls ``write(in:)`` in its transaction.
  /// - Returns: whether there was something to write, and nothing else was writing it.
  @discardableResult
  func withSightings(
    _ write: (ImageLibrary) async throws -> [UnwrittenSighting]
  ) async throws -> Bool {
    guard !unwritten.isEmpty, !isWritingSightings else { return false }
    (isWritingSightings, isWritingDue) = (true, false)
    defer {
      isWritingSightings = false
      if isWritingDue { writeSightingsLater() }
    }
    for written in try await write(self) {
      guard let place = unwritten.firstIndex(where: { $0.id == written.id }) else { continue }
      unwritten[place].count -= written.count
      unwritten[place].isChoice = false
      if unwritten[place].count == 0 { unwritten.remove(at: place) }
    }
    return true
  }

  /// Writes, in a transaction with ``sightings``, what is not written yet, and returns it.
  func write(in t: Transaction) -> [UnwrittenSighting] {
    let seen = unwritten.compactMap { sighting(of: $0.id) }
    let surplus = sightings.items.count - favorites.items.count - Self.leftLimit
    if favorites.hasLoaded, surplus > 0 {
      let left = sightings.items.filter { !favorites.contains(identifier: $0.id) }
      t.remove(Array(left.prefix(surplus)), from: sightings)
    }
    // Removed and added again, because the store is in the order of seeing.
    t.remove(seen, from: sightings)
    t.add(seen, to: sightings)
    return unwritten
  }

  // MARK: Reading

  /// Returns when a favorite was last seen, and how often; nil if it never was.
  ///
  /// Observed, except for what is not written yet: a list does not change because one in it is
  /// shown.
  package func sighting(of id: String) -> Sighting? {
    let stored = sightings[id]
    guard let place = unwritten.firstIndex(where: { $0.id == id }) else { return stored }
    return Sighting(
      id: id, lastSeenAt: unwritten[place].lastSeenAt,
      count: (stored?.count ?? 0) + unwritten[place].count, turn: turn(of: place))
  }

  /// When each favorite was last seen.
  package var lastSeen: [String: Date] {
    var dates = Dictionary(sightings.items.map { ($0.id, $0.lastSeenAt) }) { $1 }
    for entry in unwritten { dates[entry.id] = entry.lastSeenAt }
    return dates
  }

  /// The number of choices up to one of the ``unwritten``; what the user opens adds none.
  private func turn(of place: Int) -> Int {
    max(1, (sightings.items.last?.turn ?? 0) + unwritten[0...place].count(where: \.isChoice))
  }

  /// Returns what to choose from among favorites, such as those that match a filter.
  ///
  /// - Complexity: O(n log n), some milliseconds for 10,000.
  package func queue(of images: [RemoteImage]) -> FavoriteQueue {
    let turns = Dictionary(unwritten.indices.map { (unwritten[$0].id, turn(of: $0)) }) { $1 }
    let last = unwritten.last?.id ?? sightings.items.last?.id
    return FavoriteQueue(
      images.enumerated().map { place, image in
        FavoriteQueue.Entry(
          place: place, traits: FavoriteQueue.Traits(image),
          turn: turns[image.id] ?? sightings[image.id]?.turn)
      }, turn: turns.values.max() ?? sightings.items.last?.turn ?? 0,
      last: last.flatMap { favorites[$0] }.map { FavoriteQueue.Traits($0) })
  }

  /// Chooses one of favorites that is going to be seen; nil if there is none.
  package func choose(
    among images: [RemoteImage], using generator: inout some RandomNumberGenerator
  ) -> RemoteImage? {
    var queue = queue(of: images)
    let image = queue.next(using: &generator).map { images[$0.place] }
    chosen = image?.id
    return image
  }

  /// Returns favorites in a random order, drawn one by one: those come early whose turn it is.
  ///
  /// - Complexity: O(n) for each, 0.1 ms of 10,000.
  package func shuffled(
    _ images: [RemoteImage], using generator: some RandomNumberGenerator
  ) -> some Sequence<RemoteImage> {
    sequence(state: (queue: queue(of: images), generator: generator)) { state in
      state.queue.next(using: &state.generator).map { images[$0.place] }
    }
  }
}
