/// A collection of favorites: a filter with a name.
struct SavedFilter: Codable, Equatable, Sendable {
  /// The longest name, in characters.
  static let nameLimit = 40

  let name: String
  let filter: String
}

extension [SavedFilter] {
  /// Returns whether a collection has this name, in whatever case.
  func has(name: String) -> Bool { contains { $0.name.lowercased() == name.lowercased() } }

  /// Adds a collection in the order of the names; one with the same name is replaced.
  mutating func keep(_ collection: SavedFilter) {
    removeAll { $0.name.lowercased() == collection.name.lowercased() }
    let place = firstIndex { $0.name.lowercased() > collection.name.lowercased() } ?? endIndex
    insert(collection, at: place)
  }
}
