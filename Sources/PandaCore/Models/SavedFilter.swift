package import FoundationEssentials

/// A collection of favorites: a filter with a name.
///
/// A deleted one keeps its row: the collections of an earlier version, which are read at each
/// start, must not bring it back.
package struct SavedFilter: Codable, Equatable, Identifiable, Sendable {
  /// The longest name, in characters.
  package static let nameLimit = 40

  /// The name, as typed.
  package let name: String
  package let filter: String
  /// The time of the deletion; nil if it was not deleted.
  package var deletedAt: Date?

  /// The name in lowercase: two names that differ in case only are the same.
  package var id: String { name.lowercased() }

  package init(name: String, filter: String) {
    self.name = name
    self.filter = filter
  }
}
