/// Shows the items of a ``Store`` as a plain array; `$name` is the store itself.
///
/// ```swift
/// @MainActor @Observable final class NotesController {
///   @ObservationIgnored @Stored(in: .notesStore) var notes
///
///   func save(_ note: Note) async throws { try await $notes.add(note) }
/// }
/// ```
///
/// To inject the store, leave it out and assign the wrapper in the initializer: `@Stored var notes:
/// [Note]` with `_notes = Stored(in: store)`. In an `@Observable` class, mark it
/// `@ObservationIgnored`: the store itself notifies the observers of its items.
///
/// It lives on the main actor like the store, and costs nothing beside it.
@MainActor
@propertyWrapper
public struct Stored<Item: StorableItem> {
  /// The store.
  public let projectedValue: Store<Item>

  /// Shows the items of `store`.
  public init(in store: Store<Item>) {
    projectedValue = store
  }

  /// The store's items, observed like ``Store/items``.
  public var wrappedValue: [Item] { projectedValue.items }
}
