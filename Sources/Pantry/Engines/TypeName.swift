/// What a type is called.
struct TypeName: Hashable, Sendable {
  /// With its module and the types around it, such as `Notes.Note`.
  let full: String
  /// Without them, such as `Note`.
  let bare: String

  init<Item>(_ type: Item.Type) {
    full = String(reflecting: type)
    bare = String(describing: type)
  }

  /// What a person is told: the full name, as far as it says something.
  var shown: String { isStable ? full : bare }

  /// Whether the next launch, and the next version, call it the same.
  ///
  /// What is private, or declared in a function, has the address of its surroundings in its name.
  var isStable: Bool { !full.contains("(unknown context at ") }
}
