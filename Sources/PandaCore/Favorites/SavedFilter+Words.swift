extension SavedFilter {
  /// The name as it is typed after `in:`, with hyphens for blanks.
  var word: String {
    name.split(whereSeparator: \.isWhitespace).joined(separator: "-").filter { $0 != "\"" }
  }
}

extension [SavedFilter] {
  /// Returns those whose filters name another one.
  package func naming(_ collection: SavedFilter) -> [SavedFilter] {
    filter { other in
      other.id != collection.id
        && FavoritesFilter.collectionNames(in: other.filter)
          .contains { named($0)?.id == collection.id }
    }
  }

  /// Returns the collection that `in:` with this word means; nil if there is none.
  ///
  /// One that is spelled like the word is found before one with other accents.
  func named(_ word: String) -> SavedFilter? {
    let (exact, folded) = (word.lowercased(), TextFold.fold(word))
    return first { $0.word.lowercased() == exact } ?? first { TextFold.fold($0.word) == folded }
  }
}
