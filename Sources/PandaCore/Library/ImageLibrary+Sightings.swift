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
    var entry = UnwrittenSighting(id: id, count: 0, lastSeenAt: now())
    if let known = unwritten.firstIndex(where: { $0.id == id }) {
      entry = unwritten.remove(at: known)
    }
    entry.count += 1
    entry.lastSeenAt = now()
    unwritten.append(entry)
    if unwritten.count > Self.unwrittenLimit { writeSightingsLater() }
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
      count: (stored?.count ?? 0) + unwritten[place].count, turn: newestTurn + place + 1)
  }

  /// When each favorite was last seen.
  package var lastSeen: [String: Date] {
    var dates = Dictionary(sightings.items.map { ($0.id, $0.lastSeenAt) }) { $1 }
    for entry in unwritten { dates[entry.id] = entry.lastSeenAt }
    return dates
  }

  /// The number of choices so far that are written.
  private var newestTurn: Int { sightings.items.last?.turn ?? 0 }

  /// Returns what to choose from among favorites, such as those that match a filter.
  ///
  /// - Complexity: O(n log n), some milliseconds for 10,000.
  package func queue(of images: [RemoteImage]) -> FavoriteQueue {
    let newest = newestTurn
    let unwritten = Dictionary(
      unwritten.enumerated().map { ($1.id, newest + $0 + 1) }
    ) { $1 }
    let last = self.unwritten.last?.id ?? sightings.items.last?.id
    return FavoriteQueue(
      images.enumerated().map { place, image in
        FavoriteQueue.Entry(
          place: place, traits: FavoriteQueue.Traits(image),
          turn: unwritten[image.id] ?? sightings[image.id]?.turn)
      }, turn: newest + unwritten.count,
      last: last.flatMap { favorites[$0] }.map { FavoriteQueue.Traits($0) })
  }

  /// Returns favorites in a random order: those come early whose turn it is.
  package func shuffled(
    _ images: [RemoteImage], using generator: inout some RandomNumberGenerator
  ) -> [RemoteImage] {
    var queue = queue(of: images)
    var shuffled: [RemoteImage] = []
    while let entry = queue.next(using: &generator) { shuffled.append(images[entry.place]) }
    return shuffled
  }
}
