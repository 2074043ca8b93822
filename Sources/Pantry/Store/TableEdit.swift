/// A change of an ``ItemTable``.
enum TableEdit<Item: StorableItem>: Sendable {
  struct Entry: Sendable {
    let key: CacheKey
    let item: Item
    /// The position of the row on disk; nil leaves an item where it is, and appends a new one.
    var position: Int?
  }

  /// Adds items, or replaces those with their keys.
  case put([Entry])
  /// Records rows that could not be decoded.
  case note([(issue: LoadIssue, position: Int)])
  /// Removes the items, and the issues, with these keys.
  case remove([CacheKey])
  case removeAll
  /// Replaces the table.
  case replace(ItemTable<Item>)

  /// The keys of all items that the edit may change.
  func keys(in table: ItemTable<Item>) -> [CacheKey] {
    switch self {
    case .put(let entries): entries.map(\.key)
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

  func effect(on table: ItemTable<Item>) -> Effect {
    switch self {
    case .put(let entries): effect(of: entries, on: table)
    case .note(let rows): rows.allSatisfy { table.holdsIssue($0.issue) } ? .none : .some
    case .remove(let keys): keys.contains(where: table.holds) ? .some : .none
    case .removeAll: table.items.isEmpty && table.issues.isEmpty ? .none : .some
    case .replace(let other):
      table.items == other.items && table.issues == other.issues ? .none : .some
    }
  }

  private func effect(of entries: [Entry], on table: ItemTable<Item>) -> Effect {
    var effect = Effect.none
    for entry in entries {
      guard table.item(entry.key) == entry.item else { return .some }
      if let position = entry.position, position != table.ordinal(entry.key) { effect = .perhaps }
    }
    return effect
  }

  func apply(to table: inout ItemTable<Item>) {
    switch self {
    case .put(let entries):
      // Moved rows are removed first: two may have swapped places.
      let moved = entries.filter { entry in
        guard let position = entry.position else { return false }
        return table.ordinal(entry.key).map { $0 != position } ?? false
      }
      if !moved.isEmpty { table.remove(moved.map(\.key)) }
      for entry in entries { table.upsert(entry.item, key: entry.key, ordinal: entry.position) }
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
