package import FoundationEssentials

/// A step that can be undone: what the person did to the favorites.
package struct LibraryChange: Codable, Equatable, Identifiable, Sendable {
  /// What was done.
  package enum Kind: Codable, Equatable, Sendable {
    /// These pictures became favorites.
    case favorited(ids: [String])
    /// These came back from the trash.
    case restored(ids: [String])
    /// This favorite was removed.
    case removed(ids: [String])
    /// All favorites that there were, these, were removed.
    case cleared(ids: [String])
    /// A favorite's caption was changed.
    case captioned(id: String, from: String?, to: String?)
    /// A favorite's tags were changed.
    case tagged(id: String, from: [String], to: [String])
    /// A picture was hidden.
    case hidden(HiddenImage)
  }

  /// What it is known by, also to other processes.
  package let id: String
  /// When it was done.
  package let date: Date
  /// What was done.
  package let kind: Kind
  /// Whether it has been undone, and can be done again.
  package var isUndone: Bool

  /// Creates a step.
  package init(id: String = UUID().uuidString, date: Date, kind: Kind, isUndone: Bool = false) {
    self.id = id
    self.date = date
    self.kind = kind
    self.isUndone = isUndone
  }
}
