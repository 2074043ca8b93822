/// Some items of a table and where they were, to tell what has become of them.
struct TableExcerpt<Item: StorableItem> {
  /// What is different later.
  struct Change: Sendable {
    var removed: [Item] = []
    /// The new items, and those with another content.
    var inserted: [Item] = []
    /// Whether an item that is still there has another place.
    var reorders = false

    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && !reorders }
  }

  private var places: [(key: CacheKey, place: ItemTable<Item>.Place?)] = []

  /// Notes the items under `keys`, in that order; a repeated key counts once.
  init(_ keys: [CacheKey], of table: ItemTable<Item>) {
    var known: Set<CacheKey> = []
    for key in keys where known.insert(key).inserted { places.append((key, table.place(key))) }
  }

  func change(to table: ItemTable<Item>) -> Change {
    var change = Change()
    for (key, old) in places {
      switch (old, table.place(key)) {
      case (nil, nil): break
      case (let old?, nil): change.removed.append(old.item)
      case (nil, let new?): change.inserted.append(new.item)
      case (let old?, let new?):
        if old.item != new.item { change.inserted.append(new.item) }
        if old.position != new.position { change.reorders = true }
      }
    }
    return change
  }
}
