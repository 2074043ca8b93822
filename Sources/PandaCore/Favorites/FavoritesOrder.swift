internal import FoundationEssentials

/// The order in which favorites are shown.
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

  /// The next order, for a key that cycles through them.
  package var next: FavoritesOrder {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }

  /// Sorts favorites given in the order of their Store; ties are newest first.
  ///
  /// - Complexity: O(n) if little has changed, else O(n log n).
  package func sorted(_ images: [RemoteImage]) -> [RemoteImage] {
    // Swift's sort is stable and keeps runs that are already sorted.
    let newest = Array(images.reversed()).sortedByMoment()
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
    }
  }
}

extension [RemoteImage] {
  /// Sorts newest first; favorites without a recorded date keep their position.
  fileprivate func sortedByMoment() -> [RemoteImage] {
    var isSorted = true
    for (one, other) in zip(self, dropFirst()) where Self.isOlder(one, than: other) {
      isSorted = false
      break
    }
    return isSorted ? self : sorted { Self.isOlder($1, than: $0) }
  }

  private static func isOlder(_ one: RemoteImage, than other: RemoteImage) -> Bool {
    (one.savedAt ?? one.createdAt) < (other.savedAt ?? other.createdAt)
  }
}
