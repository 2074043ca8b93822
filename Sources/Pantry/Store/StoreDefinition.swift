/// Defines how a store identifies its items and upgrades rows of older versions.
struct StoreDefinition<Item: StorableItem>: Sendable {
  let identifier: @Sendable (Item) -> CacheKey
  var upgrades: [ModelUpgrade] = []
  /// The former full names of `Item`, newest first.
  var formerNames: [String] = []
  /// The row format, if it is not JSON.
  var coding: RowCoding<Item>?
  /// The key path that the caller gave; nil for the items' own `id`.
  private let path: (any KeyPath<Item, String> & Sendable)?

  init(path: any KeyPath<Item, String> & Sendable) {
    self.path = path
    identifier = { CacheKey(verbatim: $0[keyPath: path]) }
  }

  init(_ identifier: @escaping @Sendable (Item) -> String) {
    path = nil
    self.identifier = { CacheKey(verbatim: identifier($0)) }
  }

  /// Returns the definition with the upgrades of the model, and its former names.
  func upgraded(by upgrades: [ModelUpgrade], formerNames: [String] = []) -> StoreDefinition {
    var definition = self
    definition.upgrades = upgrades
    definition.formerNames = formerNames
    return definition
  }

  /// Judges the rows of a store with this definition.
  var rowGuard: RowGuard {
    RowGuard(type: TypeName(Item.self), version: coding == nil ? upgrades.count : nil)
  }

  func coded(by coding: RowCoding<Item>, formerNames: [String]) -> StoreDefinition {
    var definition = self
    definition.coding = coding
    definition.formerNames = formerNames
    return definition
  }

  /// Whether both give all of `items` the same identifiers, and write the same version.
  func agrees(with other: StoreDefinition, on items: [Item]) -> Bool {
    guard upgrades.count == other.upgrades.count, (coding == nil) == (other.coding == nil)
    else { return false }
    if let path, let otherPath = other.path { return path == otherPath }
    // A type's own `id` and a path to it are not equal as key paths.
    if path == nil, other.path == nil { return true }
    return items.allSatisfy { identifier($0) == other.identifier($0) }
  }
}

extension StoreDefinition where Item: Identifiable, Item.ID: ItemIdentifier {
  static var id: StoreDefinition { StoreDefinition { $0.id.itemIdentifierText } }
}
