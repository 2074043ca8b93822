package import FoundationEssentials

/// A picture that the user never wants to see again.
///
/// It is identified by its address and by its content: sources provide the same picture under
/// several addresses.
package struct HiddenImage: Codable, Equatable, Identifiable, Sendable {
  /// The text of the picture's address.
  package let id: String
  /// The SHA-256 digest of its bytes, in hexadecimal digits.
  package let digest: String
  /// The source's own name of the picture; nil if it gave none.
  package let identity: String?
  package let hiddenAt: Date

  package init(id: String, digest: String, identity: String? = nil, hiddenAt: Date) {
    self.id = id
    self.digest = digest
    self.identity = identity
    self.hiddenAt = hiddenAt
  }
}
