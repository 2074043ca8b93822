package import FoundationEssentials

/// An undoable change that the user made to the favorites or the collections.
package struct LibraryChange: Codable, Equatable, Identifiable, Sendable {
  /// The kind of change.
  package enum Kind: Codable, Equatable, Sendable {
    /// These pictures became favorites.
    case favorited(ids: [String])
    /// These came back from the trash.
    case restored(ids: [String])
    /// This favorite was removed.
    case removed(ids: [String])
    /// All favorites, these, were removed.
    case cleared(ids: [String])
    /// A favorite's caption was changed.
    case captioned(id: String, from: String?, to: String?)
    /// A favorite's tags were changed.
    case tagged(id: String, from: [String], to: [String])
    /// A picture was hidden.
    case hidden(HiddenImage)
    /// A collection was made, or deleted: nil is none.
    case collection(from: SavedFilter?, to: SavedFilter?)
    /// These were made together.
    indirect case several([Kind])
  }

  /// The identifier, shared with other processes.
  package let id: String
  /// The time of the change.
  package let date: Date
  /// The kind of change.
  package let kind: Kind
  /// Whether it has been undone, and can be redone.
  package var isUndone: Bool

  /// Creates a change.
  package init(id: String = UUID().uuidString, date: Date, kind: Kind, isUndone: Bool = false) {
    self.id = id
    self.date = date
    self.kind = kind
    self.isUndone = isUndone
  }
}
