internal import FoundationEssentials
internal import Observation
internal import PandaCore

/// Counts the favorites of each collection, again after each change, off the main actor.
///
/// With 10,000 favorites each collection takes milliseconds.
@MainActor
final class CollectionCounts {
  /// The number of favorites that match each filter; none for one that was not counted yet.
  @Observed private var counts: [String: Int] = [:]
  /// Incremented when the favorites have changed.
  @Observed private var revision = 0
  private var isFresh = false
  private var filters: [String] = []
  private var collections: [SavedFilter] = []
  private var worker: Task<Void, Never>?
  /// Used by one worker at a time.
  private var index = FavoritesIndex()

  /// Returns how many favorites match each filter, as far as they were counted; observed.
  ///
  /// Call it for what a frame of the screen shows; what changed is counted then.
  ///
  /// - Parameters:
  ///   - collections: those that the filters may name.
  ///   - date: what the filters take for now.
  ///   - favorites: returns the favorites, and when each was last seen.
  func counts(
    of filters: [String], named collections: [SavedFilter], at date: Date,
    in favorites: () -> (images: [RemoteImage], lastSeen: [String: Date])
  ) -> [String: Int] {
    _ = revision
    if filters != self.filters || collections != self.collections {
      (self.filters, self.collections) = (filters, collections)
      isFresh = false
    }
    // A worker that is busy ends with a new revision, and the next one takes what is newest then.
    guard !isFresh, worker == nil else { return counts }
    isFresh = true
    let (images, lastSeen) = withObservationTracking(favorites) { [weak self] in
      // The stores change on the main actor, and notify right before a change.
      MainActor.assumeIsolated { self?.markStale() }
    }
    index.lastSeen = lastSeen
    worker = Task { [index] in
      let counted = await Self.count(filters, collections, at: date, in: images, index)
      guard !Task.isCancelled else { return }
      worker = nil
      self.index = counted.index
      if counted.counts != counts { counts = counted.counts }
      if !isFresh { revision += 1 }
    }
    return counts
  }

  /// Notes that no counts are shown.
  func rest() {
    guard worker != nil || isFresh else { return }
    worker?.cancel()
    worker = nil
    isFresh = false
    filters = []
    counts = [:]
    index = FavoritesIndex()
  }

  private func markStale() {
    isFresh = false
    revision += 1
  }

  @concurrent
  private static func count(
    _ filters: [String], _ collections: [SavedFilter], at date: Date,
    in favorites: [RemoteImage], _ index: FavoritesIndex
  ) async -> (counts: [String: Int], index: FavoritesIndex) {
    var index = index
    var counts: [String: Int] = [:]
    for filter in filters where !Task.isCancelled {
      counts[filter] =
        FavoritesFilter(filter, collections: collections, now: { date })
        .apply(to: favorites, index: &index).count
    }
    return (counts, index)
  }
}
