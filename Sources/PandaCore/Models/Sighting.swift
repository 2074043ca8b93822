package import FoundationEssentials

/// When a favorite was last seen on this machine, and how often.
package struct Sighting: Codable, Equatable, Identifiable, Sendable {
  /// The address of the favorite.
  package let id: String
  package let lastSeenAt: Date
  package let count: Int
  /// The number of choices (see ``FavoriteQueue``) until it was last seen, by one or otherwise.
  ///
  /// It orders favorites, whatever the clock says.
  package let turn: Int
}
