package import FoundationEssentials
internal import Pantry

/// The memory of favorites: when each was last seen, and how often.
///
/// A favorite is seen on the card, in a slideshow, as the favorite of the day or in a greeting; in
/// a list, or as a thumbnail, it is not. The memory is in the file on this machine, also that of a
/// shared library.
@MainActor
package final class Sightings {
  /// A sighting that is not written yet.
  struct Unwritten: Sendable {
    let id: String
    let date: Date
    /// Whether ``FavoriteQueue`` chose it, rather than the user.
    let isChoice: Bool
  }

  /// The most sightings before the memory is written, whatever else is.
  private static let unwrittenLimit = 32
  /// The most that wait for a file that cannot be written.
  private static let waitingLimit = 1_000
  /// The rows of pictures that are no favorites any more are removed when there are more.
  private static let leftLimit = 200

  /// The rows in the order of seeing; loaded on first use.
  private(set) lazy var store = Store<Sighting>.loadingInBackground(storage: engine("Sighting"))
  /// What was seen since the last write, the last one at the end.
  private(set) var unwritten: [Unwritten] = []
  /// The favorite that was chosen and is not seen yet.
  private var chosen: String?
  private var writing: Task<Void, any Error>?
  private let favorites: Store<RemoteImage>
  private let now: @Sendable () -> Date
  private let engine: (String) -> any StorageEngine

  init(
    of favorites: Store<RemoteImage>, now: @escaping @Sendable () -> Date,
    engine: @escaping (String) -> any StorageEngine
  ) {
    self.favorites = favorites
    self.now = now
    self.engine = engine
  }

  package func haveLoaded() async throws { try await store.itemsHaveLoaded() }

  // MARK: Writing

  /// Records that a favorite is seen.
  ///
  /// That counts at once. It is written a minute later, with the next picture, or when the library
  /// is closed: nothing waits for it. A program that is killed before forgets it.
  package func record(_ id: String) {
    unwritten.append(Unwritten(id: id, date: now(), isChoice: chosen == id))
    chosen = nil
    if unwritten.count > Self.unwrittenLimit { writeSoon() }
  }

  /// Lets the next sighting count as a choice, if it is that of one that was chosen now.
  package func willShow(_ choice: FavoritesReader.Choice) {
    chosen = choice.index == nil ? nil : choice.image.id
  }

  /// Writes the memory beside what the user does, if some of it is a minute old.
  package func writeIfDue() {
    if let first = unwritten.first, now() >= first.date + 60 { writeSoon() }
  }

  /// Writes the memory beside what the user does.
  package func writeSoon() {
    // What fails is written with what follows, or not at all: it is but a memory.
    if !unwritten.isEmpty { Task { try? await write() } }
  }

  /// Writes what is not written yet, also what comes meanwhile.
  ///
  /// - Throws: the engine's error.
  package func write() async throws {
    guard !unwritten.isEmpty else { return }
    let task =
      writing
      ?? Task {
        defer { (writing, unwritten) = (nil, unwritten.suffix(Self.waitingLimit)) }
        while !unwritten.isEmpty {
          unwritten.removeFirst(try await store.transaction { [self] in addUnwritten(in: $0) })
        }
      }
    writing = task
    try await task.value
  }

  /// Adds what is not written yet to the store, and returns how much that is.
  private func addUnwritten(in t: Transaction) -> Int {
    let surplus = store.items.count - favorites.items.count - Self.leftLimit
    if favorites.hasLoaded, surplus > 0 {
      let left = store.items.filter { !favorites.contains(identifier: $0.id) }
      t.remove(Array(left.prefix(surplus)), from: store)
    }
    let places = Dictionary(unwritten.enumerated().map { ($1.id, $0) }) { $1 }.values.sorted()
    let seen = places.compactMap { self[unwritten[$0].id] }
    // Removed and added again, because the store is in the order of seeing.
    t.remove(seen, from: store)
    t.add(seen, to: store)
    return unwritten.count
  }

  // MARK: Reading

  /// Returns when a favorite was last seen, and how often; nil if it never was.
  ///
  /// Observed, except for what is not written yet: a list does not change because one in it is
  /// shown.
  package subscript(_ id: String) -> Sighting? {
    let stored = store[id]
    guard let place = unwritten.lastIndex(where: { $0.id == id }) else { return stored }
    return Sighting(
      id: id, lastSeenAt: unwritten[place].date,
      count: (stored?.count ?? 0) + unwritten.count { $0.id == id }, turn: turn(of: place))
  }

  /// When each favorite was last seen.
  package var dates: [String: Date] {
    Dictionary(
      store.items.map { ($0.id, $0.lastSeenAt) } + unwritten.map { ($0.id, $0.date) }
    ) { $1 }
  }

  /// The number of choices up to one of the ``unwritten``; what the user opens adds none, and has
  /// the first before any choice.
  private func turn(of place: Int) -> Int {
    max(1, store.items.last?.turn ?? 1) + unwritten[0...place].count(where: \.isChoice)
  }

  // MARK: Choosing

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

  /// Returns what to choose from among favorites, such as those that match a filter.
  ///
  /// - Complexity: O(n log n), some milliseconds for 10,000.
  private func queue(of images: [RemoteImage]) -> FavoriteQueue {
    let turns = Dictionary(unwritten.indices.map { (unwritten[$0].id, turn(of: $0)) }) { $1 }
    let last = unwritten.last?.id ?? store.items.last?.id
    return FavoriteQueue(
      images.enumerated().map { place, image in
        FavoriteQueue.Entry(
          place: place, traits: FavoriteQueue.Traits(image),
          turn: turns[image.id] ?? store[image.id]?.turn)
      }, turn: turns.values.max() ?? store.items.last?.turn ?? 0,
      last: last.flatMap { favorites[$0] }.map { FavoriteQueue.Traits($0) })
  }
}
