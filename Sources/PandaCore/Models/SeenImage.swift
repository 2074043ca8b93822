package import FoundationEssentials

/// A picture that was shown on the card.
package struct SeenImage: Codable, Equatable, Identifiable, Sendable {
  /// The picture as received.
  package let image: RemoteImage
  /// The time at which it was first shown.
  package let firstSeenAt: Date
  /// The time at which it was last shown.
  package let lastSeenAt: Date

  /// The picture's identifier.
  package var id: String { image.id }

  /// Creates an entry.
  package init(image: RemoteImage, firstSeenAt: Date, lastSeenAt: Date) {
    self.image = image
    self.firstSeenAt = firstSeenAt
    self.lastSeenAt = lastSeenAt
  }
}
