/// The places of the rows that a change has written so far.
struct RowPlaces {
  /// Nil for a removed row.
  private var places: [CacheKey: Int?] = [:]
  private var isCleared = false

  /// The place of a row; `former` is that before the change.
  subscript(key: CacheKey, former former: () -> Int?) -> Int? {
    if let place = places[key] { return place }
    return isCleared ? nil : former()
  }

  mutating func put(_ key: CacheKey, at place: Int?) { places[key] = .some(place) }

  mutating func removeAll() {
    places = [:]
    isCleared = true
  }
}
