/// What edits have changed in a table, for those who observe it.
struct TableDifference<Item: StorableItem>: Sendable {
  /// Which of the items that were edited are different.
  struct Change: Sendable {
    var removed: [Item] = []
    /// The new items, and those with another content.
    var inserted: [Item] = []
    /// Whether an item that is still there has another place.
    var reorders = false

    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && !reorders }
  }

  var isDifferent = false
  /// What has come and gone; empty if no subscriber asks for it.
  var change = Change()
  /// Those of the observed items that are different.
  var entities: [CacheKey] = []
}

extension ItemTable {
  /// Makes edits, and tells what is different then.
  ///
  /// - Parameters:
  ///   - observed: the keys of the items that are observed each by itself.
  ///   - isSubscribed: whether the items that have come and gone are to be told.
  mutating func apply(
    _ edits: [TableEdit<Item>], observed: [CacheKey], isSubscribed: Bool
  ) -> TableDifference<Item> {
    let effects = edits.map { $0.effect(on: self) }
    guard effects.contains(where: { $0 != .none }) else {
      for edit in edits { edit.apply(to: &self) }
      return TableDifference()
    }
    // The steps of a chain may undo each other: then nothing is different.
    let isExact = isSubscribed || edits.count > 1 || effects.contains(.perhaps)
    let before = isExact ? places(edits.flatMap { $0.keys(in: self) }) : nil
    let formerIssues = issues
    let former = observed.map { item($0) }
    for edit in edits { edit.apply(to: &self) }
    var difference = TableDifference<Item>(isDifferent: true)
    if let before {
      difference.change = change(from: before)
      difference.isDifferent = !difference.change.isEmpty || issues != formerIssues
    }
    difference.entities = zip(observed, former).filter { item($0) != $1 }.map(\.0)
    return difference
  }

  /// Finds the items under `keys`, in that order; a repeated key counts once.
  private func places(_ keys: [CacheKey]) -> [(key: CacheKey, place: Place?)] {
    var known: Set<CacheKey> = []
    return keys.filter { known.insert($0).inserted }.map { ($0, place($0)) }
  }

  private func change(
    from places: [(key: CacheKey, place: Place?)]
  ) -> TableDifference<Item>.Change {
    var change = TableDifference<Item>.Change()
    for (key, old) in places {
      switch (old, place(key)) {
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

  /// The table with edits made, and what is different then; for as many that they would keep the
  /// main actor.
  @concurrent
  func applying(
    _ edits: [TableEdit<Item>], observed: [CacheKey], isSubscribed: Bool
  ) async -> (table: ItemTable, difference: TableDifference<Item>) {
    var table = self
    let difference = table.apply(edits, observed: observed, isSubscribed: isSubscribed)
    table.reserveRoom()
    return (table, difference)
  }
}
