public import FoundationEssentials

/// A picture that the person never wants to be shown again.
///
/// Known by its address and by its content: sources give the same picture under several addresses.
public struct HiddenImage: Codable, Equatable, Identifiable, Sendable {
  /// The text of the picture's address.
  public let id: String
  /// The SHA-256 digest of its bytes, in hexadecimal digits.
  public let digest: String
  /// When it was hidden.
  public let hiddenAt: Date

  /// Creates an entry.
  public init(id: String, digest: String, hiddenAt: Date) {
    self.id = id
    self.digest = digest
    self.hiddenAt = hiddenAt
  }
}
