package import FoundationEssentials
internal import Pantry

package enum FavoritesOrder: String, CaseIterable, Codable, Sendable {
  /// Most recently saved first.
  case newest
  /// Least recently saved first.
  case oldest
  /// By the name of the source.
  case source
  /// By caption; favorites without one come last.
  case caption
  /// Largest file first.
  case size
  /// Never seen first, then what was seen longest ago.
  case unseen

  /// The next order, for a key that cycles through them.
  package var next: FavoritesOrder {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }

  /// Sorts favorites given in the order of their Store; ties are newest first.
  ///
  /// A date that is yet to come is that of a wrong clock: then the Store's order counts.
  ///
  /// - Parameter sighting: returns when one was last seen; called for ``unseen`` alone.
  /// - Complexity: O(n) if little has changed, else O(n log n).
  package func sorted(
    _ images: [RemoteImage], now: Date, sighting: (String) -> Sighting? = { _ in nil }
  ) -> [RemoteImage] {
    let newest = images.newestFirst(now)
    switch self {
    case .newest: return newest
    case .oldest: return newest.reversed()
    case .source: return newest.sorted { $0.source < $1.source }
    case .caption:
      let keyed = newest.map { (image: $0, key: TextFold.fold($0.caption ?? "")) }
      return keyed.sorted { one, other in
        one.key.isEmpty != other.key.isEmpty ? other.key.isEmpty : one.key < other.key
      }.map(\.image)
    case .size:
      return newest.sorted {
        $0.dataRepresentation.byteCount > $1.dataRepresentation.byteCount
      }
    case .unseen:
      return newest.map { (image: $0, sighting: sighting($0.id)) }.sorted { one, other in
        guard let later = other.sighting else { return false }
        guard let earlier = one.sighting else { return true }
        return (earlier.turn, earlier.lastSeenAt) < (later.turn, later.lastSeenAt)
      }.map(\.image)
    }
  }
}

extension [RemoteImage] {
  /// Sorts newest first; favorites with the same date, or none, keep their position.
  fileprivate func newestFirst(_ now: Date) -> [RemoteImage] {
    // One whose date is unknown was kept after the one before it.
    var known = Date.distantPast
    let moments = map { image in
      known = image.keptAt(asOf: now) ?? known
      return known
    }
    let newest = Array(reversed())
    guard zip(moments, moments.dropFirst()).contains(where: { $0 > $1 }) else { return newest }
    // Swift's sort is stable and keeps runs that are already sorted.
    return zip(newest, moments.reversed()).sorted { $0.1 > $1.1 }.map(\.0)
  }
}
