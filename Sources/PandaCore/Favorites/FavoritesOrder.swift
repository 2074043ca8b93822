internal import FoundationEssentials

/// In which order favorites are shown.
package enum FavoritesOrder: String, CaseIterable, Codable, Sendable {
  /// What was saved last is first.
  case newest
  /// What was saved first is first.
  case oldest
  /// By the name of the source.
  case source
  /// By caption; those without one are last.
  case caption
  /// The file with the most bytes is first.
  case size

  /// The next one, for a key that goes round.
  package var next: FavoritesOrder {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }

  /// Sorts favorites that are given in the order of their Store; equal ones are newest first.
  ///
  /// - Complexity: O(n) when little has changed, else O(n log n).
  package func sorted(_ images: [RemoteImage]) -> [RemoteImage] {
    // Swift's sort is stable, and takes runs that are sorted already as they are.
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
  /// Newest first; what was saved before moments were kept stays where it is.
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
