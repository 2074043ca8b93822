struct TypeName: Hashable, Sendable {
  /// The name with its module and enclosing types, such as `Notes.Note`.
  let full: String
  /// The bare name, such as `Note`.
  let bare: String

  init<Item>(_ type: Item.Type) {
    // What was recorded of the types below it stays theirs.
    full = String(reflecting: type).replacing("PantryRecovery.", with: "Pantry.")
    bare = String(describing: type)
  }

  /// The name for messages: the full name, or the bare one if that is not stable.
  var shown: String { isStable ? full : bare }

  /// Whether the name is the same at the next launch, and in the next version.
  ///
  /// A private or local type has the address of its context in its name.
  var isStable: Bool { !full.contains("(unknown context at ") }
}
