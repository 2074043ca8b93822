/// The key space of a store, which belongs to one item type for as long as a store is on it.
enum StorePlace: Hashable, Sendable {
  case named(String)
  /// An engine that does not tell where it is: a core keeps it alive, and so its identifier.
  case engine(ObjectIdentifier)

  // By their types, which is a comparison: asking for a protocol searches the whole program once.
  init(_ storage: any StorageEngine) {
    switch storage {
    case let sqlite as SQLiteStorageEngine:
      self = .named("\(sqlite.file.location.path)\0\(sqlite.namespace)")
    case let disk as DiskStorageEngine: self = .named(disk.folder.path)
    default: self = .engine(ObjectIdentifier(storage))
    }
  }

  /// What a person calls the key space.
  static func name(_ storage: any StorageEngine) -> String {
    switch storage {
    case let sqlite as SQLiteStorageEngine: sqlite.namespace
    case let disk as DiskStorageEngine: disk.folder.path
    default: "of this storage"
    }
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
  /// - Throws: ``StorageError`` if a store of another type, or one that tells items apart in
  ///   another way, is on it in this process.
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
