package import FoundationEssentials

/// A former favorite, which can be restored until ``ImageLibrary`` deletes it.
package struct TrashedImage: Codable, Equatable, Identifiable, Sendable {
  /// The picture, with its caption and tags.
  package let image: RemoteImage
  /// The time at which it was removed from the favorites.
  package let removedAt: Date
  /// The user who removed it; nil if the library is not shared.
  package let removedBy: String?

  package var id: String { image.id }

  package init(image: RemoteImage, removedAt: Date, removedBy: String? = nil) {
    self.image = image
    self.removedAt = removedAt
    self.removedBy = removedBy
  }
}
