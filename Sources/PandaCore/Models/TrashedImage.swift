package import FoundationEssentials

/// A picture that was a favorite: it can be restored until ``ImageLibrary`` deletes it.
package struct TrashedImage: Codable, Equatable, Identifiable, Sendable {
  /// The picture as it was, with its caption and tags.
  package let image: RemoteImage
  /// When it was removed from the favorites.
  package let removedAt: Date

  /// What the picture is known by.
  package var id: String { image.id }

  /// Creates an entry of the trash.
  package init(image: RemoteImage, removedAt: Date) {
    self.image = image
    self.removedAt = removedAt
  }
}
