public import FoundationEssentials

/// A picture that was on the card.
public struct SeenImage: Codable, Equatable, Identifiable, Sendable {
  /// The picture as it came.
  public let image: RemoteImage
  /// When it was shown for the first time.
  public let firstSeenAt: Date
  /// When it was shown last.
  public let lastSeenAt: Date

  /// What the picture is known by.
  public var id: String { image.id }

  /// Creates an entry.
  public init(image: RemoteImage, firstSeenAt: Date, lastSeenAt: Date) {
    self.image = image
    self.firstSeenAt = firstSeenAt
    self.lastSeenAt = lastSeenAt
  }
}
