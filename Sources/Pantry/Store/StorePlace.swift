/// The key space of a store, which belongs to one item type for as long as a store is on it.
enum StorePlace: Hashable, Sendable {
  case named(String)
  /// An engine that does not tell where it is: a core keeps it alive, and so its identifier.
  case engine(ObjectIdentifier)

  init(_ storage: any StorageEngine) {
    self =
      (storage as? any NamespacedStorage).map { .named($0.place) }
      ?? .engine(ObjectIdentifier(storage))
  }
}

/// The claim of one item type to a key space; held by each core that is on it.
@MainActor
final class StoreClaim {
  let type: ObjectIdentifier
  let name: TypeName
  /// A `StoreDefinition` of that type.
  let definition: any Sendable

  private static let claims = WeakTable<StorePlace>()

  private init<Item>(_ definition: StoreDefinition<Item>) {
    type = ObjectIdentifier(Item.self)
    name = TypeName(Item.self)
    self.definition = definition
  }

  /// Claims the place of `storage` for the items of `definition`, beside others of that type.
  ///
  /// - Parameter items: what is known to be there.
  /// - Throws: ``StorageError`` if a store of another type, or one that tells items apart in another
  ///   way, is on it in this process.
  static func claim<Item>(
    _ storage: any StorageEngine, for definition: StoreDefinition<Item>, items: () -> [Item]
  ) throws(StorageError) -> StoreClaim {
    let claim = claims.object(StorePlace(storage)) { StoreClaim(definition) }
    let namespace = (storage as? any NamespacedStorage)?.namespace ?? "of this storage"
    guard let first = claim.definition as? StoreDefinition<Item> else {
      throw .namespaceTaken(
        namespace: namespace, by: claim.name.shown, wanted: TypeName(Item.self).shown)
    }
    guard definition.agrees(with: first, on: items()) else {
      throw .otherDefinition(namespace: namespace, type: claim.name.shown)
    }
    return claim
  }
}
