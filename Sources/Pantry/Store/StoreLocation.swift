/// The key space of a store; it belongs to one item type as long as a store uses it.
enum StoreLocation: Hashable, Sendable {
  case named(Name)
  /// An engine without a known location. A core keeps the engine alive, and so its identifier
  /// valid.
  case engine(ObjectIdentifier)

  /// The key space of `storage`.
  init(_ storage: any StorageEngine) {
    self = storage.keySpace.map { .named(Name($0.place)) } ?? .engine(ObjectIdentifier(storage))
  }
}

/// The claim of one item type to a key space; held by each core that uses it.
@MainActor
final class StoreClaim {
  let type: ObjectIdentifier
  let name: TypeName
  /// A `StoreDefinition` of that type.
  let definition: any Sendable

  private init<Item>(_ definition: StoreDefinition<Item>) {
    type = ObjectIdentifier(Item.self)
    name = TypeName(Item.self)
    self.definition = definition
  }

  /// Claims the key space of `storage` for `definition`, shared with other stores of its type.
  ///
  /// - Parameter items: the known items, to compare identifiers.
  /// - Throws: ``StorageError`` if a store of another type, or one that identifies items
  ///   differently, uses it in this process.
  static func claim<Item>(
    _ storage: any StorageEngine, for definition: StoreDefinition<Item>, items: () -> [Item]
  ) throws(StorageError) -> StoreClaim {
    let claims = ProcessContext.current.object { WeakTable<StoreLocation>() }
    let claim = claims.object(StoreLocation(storage)) { StoreClaim(definition) }
    let namespace = storage.keySpace?.name ?? StorageLocation.unnamed
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
