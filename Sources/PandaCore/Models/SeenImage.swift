package import FoundationEssentials

/// A picture that was on the card.
package struct SeenImage: Codable, Equatable, Identifiable, Sendable {
  /// The picture as it came.
  package let image: RemoteImage
  /// When it was shown for the first time.
  package let firstSeenAt: Date
  /// When it was shown last.
  package let lastSeenAt: Date

  /// What the picture is known by.
  package var id: String { image.id }

  /// Creates an entry.
  package init(image: RemoteImage, firstSeenAt: Date, lastSeenAt: Date) {
    self.image = image
    self.firstSeenAt = firstSeenAt
    self.lastSeenAt = lastSeenAt
  }
}
