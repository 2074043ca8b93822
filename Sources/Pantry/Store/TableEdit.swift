/// A change of an ``ItemTable``.
enum TableEdit<Item: StorableItem>: Sendable {
  struct Entry: Sendable {
    let key: CacheKey
    let item: Item
    /// Where a row is among the others on disk; nil leaves an item where it is, and puts a new one
    /// at the end.
    var position: Int?
  }

  /// Adds items, or replaces those with their keys.
  case put([Entry])
  /// Notes rows that are no items.
  case note([(issue: LoadIssue, position: Int)])
  /// Takes out the items, and the issues, with these keys.
  case remove([CacheKey])
  case removeAll
  /// Puts another table in the place of this one.
  case replace(ItemTable<Item>)

  /// The keys of all items that may be different then.
  func keys(in table: ItemTable<Item>) -> [CacheKey] {
    switch self {
    case .put(let entries): entries.map(\.key)
    case .note(let rows): rows.map(\.issue.key)
    case .remove(let keys): keys
    case .removeAll: table.keys
    case .replace(let other): table.keys + other.keys
    }
  }

  /// Whether it changes what observers see, were it the next one.
  enum Effect {
    case none
    /// An item has another number, which may be no other place.
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
      // All that move are taken out first: two rows may have changed places.
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
