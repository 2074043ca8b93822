package import PandaCore

extension FavoritesFilter.Unresolved {
  /// One user message, without a period.
  package var sentence: String {
    switch self {
    case .unknown(let name): "There is no collection \(name.sanitized(upTo: 40))"
    case .circular(let name):
      "The collection \(name.sanitized(upTo: 40)) refers to itself, so nothing matches"
    }
  }
}

extension [SavedFilter] {
  /// Says which collections name one that is deleted; nil if none does.
  package func consequence(ofDeleting collection: SavedFilter) -> String? {
    let names = naming(collection).map { $0.name.sanitized(upTo: 40) }
    guard let last = names.last else { return nil }
    guard names.count > 1 else { return "\(last) names it, and matches nothing now" }
    let others = names.dropLast().joined(separator: ", ")
    return "\(others) and \(last) name it, and match nothing now"
  }
}

extension String {
  /// The text as the name of a collection; empty if it has nothing to read.
  package var collectionName: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .sanitized(upTo: SavedFilter.nameLimit)
  }
}
