/// The difference that edits make to a table, for its observers.
struct TableDifference<Item: StorableItem>: Sendable {
  struct Change: Sendable {
    var removed: [Item] = []
    /// New items, and items with new content.
    var inserted: [Item] = []
    /// Whether a remaining item has another position.
    var reorders = false

    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && !reorders }
  }

  var isDifferent = false
  /// The inserted and removed items; empty without subscribers.
  var change = Change()
  /// The observed items that are different.
  var entities: [CacheKey] = []
}

extension ItemTable {
  /// Applies edits, and returns the difference.
  ///
  /// - Parameters:
  ///   - observed: the keys of the individually observed items that the edits may change.
  ///   - isSubscribed: whether to collect the inserted and removed items.
  ///   - unchanged: the keys whose items have the same bytes before and after.
  mutating func apply(
    _ edits: [TableEdit<Item>], observed: [CacheKey], isSubscribed: Bool,
    unchanged: Set<CacheKey>
  ) -> TableDifference<Item> {
    let effects = edits.map { $0.effect(on: self, unchanged: unchanged) }
    guard effects.contains(where: { $0 != .none }) else {
      for edit in edits { edit.apply(to: &self) }
      return TableDifference()
    }
    // The steps of a chain may cancel each other out.
    let isExact = isSubscribed || edits.count > 1 || effects.contains(.perhaps)
    let before = isExact ? places(edits.flatMap { $0.keys(in: self) }) : nil
    let formerIssues = issues
    let former = observed.map { holdsItem($0) }
    for edit in edits { edit.apply(to: &self) }
    var difference = TableDifference<Item>(isDifferent: true)
    if let before {
      difference.change = change(from: before, unchanged)
      difference.isDifferent = !difference.change.isEmpty || issues != formerIssues
    }
    difference.entities = zip(observed, former).filter { key, wasHeld in
      wasHeld != holdsItem(key) || wasHeld && !unchanged.contains(key)
    }.map(\.0)
    return difference
  }

  /// Finds the items with `keys`, in that order; a repeated key counts once.
  private func places(_ keys: [CacheKey]) -> [(key: CacheKey, place: Place?)] {
    var known: Set<CacheKey> = []
    return keys.filter { known.insert($0).inserted }.map { ($0, place($0)) }
  }

  private func change(
    from places: [(key: CacheKey, place: Place?)], _ unchanged: Set<CacheKey>
  ) -> TableDifference<Item>.Change {
    var change = TableDifference<Item>.Change()
    for (key, old) in places {
      switch (old, place(key)) {
      case (nil, nil): break
      case (let old?, nil): change.removed.append(old.item)
      case (nil, let new?): change.inserted.append(new.item)
      case (let old?, let new?):
        if !unchanged.contains(key) { change.inserted.append(new.item) }
        if old.position != new.position { change.reorders = true }
      }
    }
    return change
  }

  /// Returns the table with edits applied, and the difference; off the main actor, for large edits.
  @concurrent
  func applying(
    _ edits: [TableEdit<Item>], observed: [CacheKey], isSubscribed: Bool,
    unchanged: Set<CacheKey>
  ) async -> (table: ItemTable, difference: TableDifference<Item>) {
    var table = self
    let edited = observed.isEmpty ? [] : Set(edits.flatMap { $0.keys(in: self) })
    let difference = table.apply(
      edits, observed: observed.filter(edited.contains), isSubscribed: isSubscribed,
      unchanged: unchanged)
    table.reserveRoom()
    return (table, difference)
  }
}
