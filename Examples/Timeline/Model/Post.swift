/// A post; its author is in another store.
struct Post: Codable, Equatable, Identifiable, Sendable {
  var id: String
  /// The identifier of the author.
  var author: String
  var text: String
  var favorites = 0
  var isFavorite = false

  /// Makes it a favorite, or removes it from the favorites.
  mutating func setFavorite(_ isFavorite: Bool) {
    guard isFavorite != self.isFavorite else { return }
    self.isFavorite = isFavorite
    favorites += isFavorite ? 1 : -1
  }
}

/// The author of posts.
struct Author: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var name: String
  var about: String
}

/// The server's answer to a request for the timeline.
struct Page: Codable, Equatable, Sendable {
  var posts: [Post]
  var authors: [Author]
}
