enum TableEdit<Item: StorableItem>: Sendable {
  struct Entries: Sendable {
    var keys: [CacheKey] = []
    var items: [Item] = []
    /// The positions of the rows on disk; nil leaves an item where it is, and appends a new one.
    ///
    /// Empty if there are none.
    var positions: [Int?] = []

    var isEmpty: Bool { items.isEmpty }
    var count: Int { items.count }

    func position(_ index: Int) -> Int? { positions.isEmpty ? nil : positions[index] }

    mutating func append(_ item: Item, key: CacheKey, position: Int?) {
      keys.append(key)
      items.append(item)
      positions.append(position)
    }
  }

  /// Adds items, or replaces those with their keys.
  case put(Entries)
  /// Records rows that could not be decoded.
  case note([(issue: LoadIssue, position: Int)])
  /// Removes the items, and the issues, with these keys.
  case remove([CacheKey])
  case removeAll
  case replace(ItemTable<Item>)

  /// The keys of all items that the edit may change.
  func keys(in table: ItemTable<Item>) -> [CacheKey] {
    switch self {
    case .put(let entries): entries.keys
    case .note(let rows): rows.map(\.issue.key)
    case .remove(let keys): keys
    case .removeAll: table.keys
    case .replace(let other): table.keys + other.keys
    }
  }

  /// Whether the edit would change what observers see.
  enum Effect {
    case none
    /// An item has another number, perhaps at the same position.
    case perhaps
    case some
  }

  /// - Parameter unchanged: the keys whose items keep their bytes.
  func effect(on table: ItemTable<Item>, unchanged: Set<CacheKey>) -> Effect {
    switch self {
    case .put(let entries): effect(of: entries, on: table, unchanged)
    case .note(let rows): rows.allSatisfy { table.issues.contains($0.issue) } ? .none : .some
    case .remove(let keys): keys.contains(where: table.holds) ? .some : .none
    case .removeAll: table.items.isEmpty && table.issues.isEmpty ? .none : .some
    case .replace: .perhaps
    }
  }

  private func effect(
    of entries: Entries, on table: ItemTable<Item>, _ unchanged: Set<CacheKey>
  ) -> Effect {
    var effect = Effect.none
    for (index, key) in entries.keys.enumerated() {
      guard unchanged.contains(key) else { return .some }
      if let position = entries.position(index), position != table.ordinal(key) {
        effect = .perhaps
      }
    }
    return effect
  }

  /// Whether the edit may change the item with this key.
  func concerns(_ key: CacheKey) -> Bool {
    switch self {
    case .put(let entries): entries.keys.contains(key)
    case .note(let rows): rows.contains { $0.issue.key == key }
    case .remove(let keys): keys.contains(key)
    case .removeAll, .replace: true
    }
  }

  /// Whether an item in `table` may have other content afterwards.
  func overwrites(_ table: ItemTable<Item>) -> Bool {
    switch self {
    case .put(let entries): !table.items.isEmpty && entries.keys.contains(where: table.holdsItem)
    case .replace: !table.items.isEmpty
    case .note, .remove, .removeAll: false
    }
  }

  func apply(to table: inout ItemTable<Item>) {
    switch self {
    case .put(let entries): table.put(entries)
    case .note(let rows):
      table.remove(rows.map(\.issue.key))
      for (issue, position) in rows {
        table.note(issue, key: issue.key, ordinal: position)
      }
    case .remove(let keys): table.remove(keys)
    case .removeAll: table.removeAll()
    case .replace(let other): table = other
    }
  }
}
