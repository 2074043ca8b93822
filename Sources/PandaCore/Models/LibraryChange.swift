package import FoundationEssentials

/// An undoable change that the user made to the favorites or the collections.
package struct LibraryChange: Codable, Equatable, Identifiable, Sendable {
  package enum Kind: Codable, Equatable, Sendable {
    case favorited(ids: [String])
    case restored(ids: [String])
    case removed(ids: [String])
    case cleared(ids: [String])
    case captioned(id: String, from: String?, to: String?)
    case tagged(id: String, from: [String], to: [String])
    case hidden(HiddenImage)
    /// A collection was made, or deleted: nil is none.
    case collection(from: SavedFilter?, to: SavedFilter?)
    indirect case several([Kind])
  }

  /// The identifier, shared with other processes.
  package let id: String
  package let date: Date
  package let kind: Kind
  /// Whether it has been undone, and can be redone.
  package var isUndone: Bool

  package init(id: String = UUID().uuidString, date: Date, kind: Kind, isUndone: Bool = false) {
    self.id = id
    self.date = date
    self.kind = kind
    self.isUndone = isUndone
  }
}
