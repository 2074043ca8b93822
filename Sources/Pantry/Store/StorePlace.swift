/// The key space of a store; it belongs to one item type as long as a store uses it.
enum StorePlace: Hashable, Sendable {
  case named(String)
  /// An engine without a known location. A core keeps the engine alive, and so its identifier
  /// valid.
  case engine(ObjectIdentifier)

  // By concrete types, which is a comparison: a cast to a protocol searches the whole program once.
  init(_ storage: any StorageEngine) {
    switch storage {
    case let sqlite as SQLiteStorageEngine:
      self = .named("\(sqlite.file.location.path)\0\(sqlite.namespace)")
    case let disk as DiskStorageEngine: self = .named(disk.path)
    default: self = .engine(ObjectIdentifier(storage))
    }
  }

  /// The name of the key space in messages.
  static func name(_ storage: any StorageEngine) -> String {
    switch storage {
    case let sqlite as SQLiteStorageEngine: sqlite.namespace
    case let disk as DiskStorageEngine: disk.path
    default: "of this storage"
    }
  }
}

/// The claim of one item type to a key space; held by each core that uses it.
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

  /// Claims the key space of `storage` for `definition`, shared with other stores of its type.
  ///
  /// - Parameter items: the known items, to compare identifiers.
  /// - Throws: ``StorageError`` if a store of another type, or one that identifies items
  ///   differently, uses it in this process.
  static func claim<Item>(
    _ storage: any StorageEngine, for definition: StoreDefinition<Item>, items: () -> [Item]
  ) throws(StorageError) -> StoreClaim {
    let claim = claims.object(StorePlace(storage)) { StoreClaim(definition) }
    let namespace = StorePlace.name(storage)
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
