/// What a table shows that is not on disk yet: the changes whose `commit` is under way.
///
/// Of each item it knows what the disk has, and the changes on top of that in their order. A change
/// that fails is taken out from between the others.
struct ProvisionalItems<Item: StorableItem> {
  /// Tells the changes apart; later ones are larger.
  typealias Token = Int

  private struct Layers {
    var disk: (item: Item, ordinal: Int?)?
    /// The newest last; nil is an item that is not there.
    var changes: [(token: Token, item: Item?)]

    /// What shows the uppermost of them.
    func edit(_ key: String) -> TableEdit<Item> {
      guard let shown = changes.last else {
        return disk.map { .put([.init(key: key, item: $0.item, position: $0.ordinal)]) }
          ?? .remove([key])
      }
      return shown.item.map { .put([.init(key: key, item: $0, position: disk.flatMap(\.ordinal))]) }
        ?? .remove([key])
    }
  }

  private var layers: [String: Layers] = [:]
  private var lastToken = 0

  /// Begins a change.
  mutating func begin() -> Token {
    lastToken += 1
    return lastToken
  }

  /// Notes what a change is about to show under `key`: an item, or that there is none.
  mutating func note(_ item: Item?, key: String, by token: Token, over table: ItemTable<Item>) {
    if layers[key] == nil {
      let disk = table.item(key).map { (item: $0, ordinal: table.ordinal(key)) }
      layers[key] = Layers(disk: disk, changes: [])
    }
    layers[key]?.changes.append((token, item))
  }

  /// What a change shows, as far as the disk has not written it since: items to add, keys to remove.
  func unwritten(of token: Token, among keys: [String]) -> (items: [Item], removed: [String]) {
    var items: [Item] = []
    var removed: [String] = []
    for key in keys {
      guard let change = layers[key]?.changes.last(where: { $0.token == token }) else { continue }
      if let item = change.item { items.append(item) } else { removed.append(key) }
    }
    return (items, removed)
  }

  /// Takes a change out; returns what shows the items as they are without it.
  mutating func takeBack(_ token: Token) -> [TableEdit<Item>] {
    var edits: [TableEdit<Item>] = []
    for (key, former) in layers where former.changes.contains(where: { $0.token == token }) {
      var rest = former
      rest.changes.removeAll { $0.token == token }
      layers[key] = rest.changes.isEmpty ? nil : rest
      // Below another one it was not seen.
      if former.changes.last?.token == token { edits.append(rest.edit(key)) }
    }
    return edits
  }

  /// Takes note of what the disk has written; returns what shows the changes that are still on top.
  ///
  /// - Parameter token: the change that has been written now; nil if it was none: then all that was
  ///   shown of these items is over.
  mutating func settle(_ edits: [TableEdit<Item>], by token: Token?) -> [TableEdit<Item>] {
    guard !layers.isEmpty else { return [] }
    var shown: [TableEdit<Item>] = []
    for edit in edits {
      switch edit {
      case .put(let entries):
        for entry in entries {
          let disk = (entry.item, entry.position)
          if let edit = settle(entry.key, disk: disk, by: token) { shown.append(edit) }
        }
      case .note(let rows): for row in rows { layers[row.issue.key.rawValue] = nil }
      case .remove(let keys):
        for key in keys {
          if let edit = settle(key, disk: nil, by: token) { shown.append(edit) }
        }
      case .removeAll, .replace: layers = [:]
      }
    }
    return shown
  }

  private mutating func settle(
    _ key: String, disk: (item: Item, ordinal: Int?)?, by token: Token?
  ) -> TableEdit<Item>? {
    guard let former = layers.removeValue(forKey: key), let token else { return nil }
    let later = former.changes.filter { $0.token > token }
    guard !later.isEmpty else { return nil }
    let rest = Layers(disk: disk, changes: later)
    layers[key] = rest
    return rest.edit(key)
  }
}
