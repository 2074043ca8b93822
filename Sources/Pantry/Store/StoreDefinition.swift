/// How a store tells its items apart, and what their rows may have been before.
struct StoreDefinition<Item: StorableItem>: Sendable {
  let identifier: @Sendable (Item) -> CacheKey
  var upgrades: [ModelUpgrade] = []
  /// What turns items into rows in place of JSON.
  var coding: RowCoding<Item>?
  /// What the person wrote; nil if it is the items' own `id`.
  private let path: (any KeyPath<Item, String> & Sendable)?

  /// Tells items apart by what is at `path`.
  init(path: any KeyPath<Item, String> & Sendable) {
    self.path = path
    identifier = { CacheKey(verbatim: $0[keyPath: path]) }
  }

  /// Tells items apart by their own identity.
  init(_ identifier: @escaping @Sendable (Item) -> String) {
    path = nil
    self.identifier = { CacheKey(verbatim: identifier($0)) }
  }

  /// Adds the upgrades of the model.
  func upgraded(by upgrades: [ModelUpgrade]) -> StoreDefinition {
    var definition = self
    definition.upgrades = upgrades
    return definition
  }

  /// Has the rows coded by a person's own code.
  func coded(by coding: RowCoding<Item>) -> StoreDefinition {
    var definition = self
    definition.coding = coding
    return definition
  }

  /// Whether both call every item the same, as far as `items` can tell, and write one version.
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
