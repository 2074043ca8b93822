package import FoundationEssentials

/// A picture that was shown on the card.
package struct SeenImage: Codable, Equatable, Identifiable, Sendable {
  /// The picture as received.
  package let image: RemoteImage
  package let firstSeenAt: Date
  package let lastSeenAt: Date

  package var id: String { image.id }

  package init(image: RemoteImage, firstSeenAt: Date, lastSeenAt: Date) {
    self.image = image
    self.firstSeenAt = firstSeenAt
    self.lastSeenAt = lastSeenAt
  }
}
