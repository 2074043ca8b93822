package import FoundationEssentials
package import Pantry

/// The bytes of a picture that is being imported, before it is a favorite.
package struct IncomingPicture: Codable, Equatable, Identifiable, Sendable {
  /// The identifier of the import, and the picture's digest.
  package let id: String
  package let picture: Attachment
  package let storedAt: Date

  package init(importID: String, picture: Attachment, storedAt: Date) {
    id = "\(importID)/\(picture.digest.hexadecimal)"
    self.picture = picture
    self.storedAt = storedAt
  }
}
