public import FoundationEssentials

/// A picture that was a favorite: it can be restored until ``ImageLibrary`` deletes it.
public struct TrashedImage: Codable, Equatable, Identifiable, Sendable {
  /// The picture as it was, with its caption and tags.
  public let image: RemoteImage
  /// When it was removed from the favorites.
  public let removedAt: Date

  /// What the picture is known by.
  public var id: String { image.id }

  /// Creates an entry of the trash.
  public init(image: RemoteImage, removedAt: Date) {
    self.image = image
    self.removedAt = removedAt
  }
}
