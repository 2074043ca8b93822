/// A change that is on disk, to be applied in memory.
struct StoredChange<Item: StorableItem> {
  let edits: [TableEdit<Item>]
  /// The optimistic change that this write confirms.
  ///
  /// Later optimistic changes stay visible. If nil, optimistic state for these items is discarded.
  var confirms: ProvisionalItems<Item>.Token?
  /// The transforms of the items whose new content depends on their old content alone.
  var transforms: [CacheKey: [ProvisionalItems<Item>.Transform]] = [:]
  /// The keys whose items have the bytes of those that they overwrite; nil if they were not
  /// compared.
  var unchanged: Set<CacheKey>?

  @MainActor
  func discard() {
    let count = edits.reduce(0) { $0 + $1.count }
    Pantry.discard((edits, transforms), of: count)
  }
}

/// A change prepared off the main actor, to be applied there in one step.
@MainActor
struct PreparedChange<Item: StorableItem> {
  fileprivate let edits: [TableEdit<Item>]
  /// The keys whose items keep their bytes.
  fileprivate let unchanged: Set<CacheKey>
  fileprivate let provisional: ProvisionalItems<Item>
  fileprivate let revision: Int
  fileprivate let isSubscribed: Bool
  /// The table after a large change; nil if a small one is applied in place.
  fileprivate var table: ItemTable<Item>?
  fileprivate var difference = TableDifference<Item>()
}

extension VisibleItems {
  /// The largest number of affected items for a change on the main actor: about 2 ms.
  static var limitInPlace: Int { WorkSizes.current.changeInPlace }

  /// Applies a stored change in memory, and notifies its observers.
  func change(_ change: StoredChange<Item>) async {
    let difference = make(change, await prepare(change))
    notify(difference)
    difference.discard()
    change.discard()
  }

  /// Compares a change with the items that it overwrites, off the main actor; a large one is
  /// also made there, in a copy of the table.
  ///
  /// Call it in a turn of the operations, in which only optimistic changes are applied.
  ///
  /// - Returns: nil if the change is small and overwrites nothing, or other changes came first:
  ///   then it is applied in place, and whatever it overwrites counts as changed.
  func prepare(_ change: StoredChange<Item>) async -> PreparedChange<Item>? {
    let cost = change.edits.reduce(0) { $0 + $1.cost(on: table) }
    let isLarge = cost > Self.limitInPlace || !table.hasRoom(for: change.edits)
    for _ in 0..<3 {
      let (former, isSubscribed) = (revision, isSubscribed)
      var provisional = provisional
      let edits: [TableEdit<Item>]
      if provisional.count > Self.limitInPlace, let token = change.confirms {
        edits = await provisional.confirmInSlices(change.edits, by: token, in: self)
        guard former == revision else { continue }
      } else {
        edits = confirm(change, in: &provisional)
      }
      let known = self.provisional.isEmpty ? change.unchanged : nil
      guard isLarge || known != [] && edits.contains(where: { $0.overwrites(table) }) else {
        return nil
      }
      entityGates.beginRecording()
      let observed = entityGates.observed
      let isExact = isSubscribed || !observed.isEmpty
      let unchanged =
        if let known { known } else {
          await coder.unchanged(by: edits, in: table, isExact: isExact)
        }
      var prepared = PreparedChange(
        edits: edits, unchanged: unchanged, provisional: provisional, revision: former,
        isSubscribed: isSubscribed)
      if isLarge, isCurrent(prepared) {
        let (table, difference) = await table.applying(
          edits, observed: observed, isSubscribed: isSubscribed, unchanged: unchanged)
        prepared.table = table
        prepared.difference = difference
      }
      if isCurrent(prepared) { return prepared }
      discard((prepared.table, edits), of: table.items.count)
    }
    return nil
  }

  /// Whether no change was applied, and no subscriber was added, since preparation began.
  private func isCurrent(_ prepared: PreparedChange<Item>) -> Bool {
    prepared.revision == revision && (prepared.isSubscribed || !isSubscribed)
  }

  /// Applies a change in memory.
  ///
  /// - Parameter prepared: the prepared change; if it is nil or outdated, the change is applied in
  ///   place.
  /// - Returns: the difference to report to observers and subscribers.
  func make(
    _ change: StoredChange<Item>, _ prepared: PreparedChange<Item>?
  ) -> TableDifference<Item> {
    let noted = entityGates.endRecording()
    guard var prepared, isCurrent(prepared) else {
      return apply(confirm(change, in: &provisional))
    }
    discard(provisional, of: provisional.count)
    provisional = prepared.provisional
    guard var new = prepared.table else {
      return apply(prepared.edits, unchanged: prepared.unchanged)
    }
    prepared.table = nil
    revision += 1
    swap(&table, &new)
    assert(table.isConsistent, "the table is inconsistent")
    var difference = prepared.difference
    difference.entities += noted.filter { key in
      table.holdsItem(key) != new.holdsItem(key)
        || table.holdsItem(key) && !prepared.unchanged.contains(key)
          && prepared.edits.contains { $0.concerns(key) }
    }
    discard(new, of: new.items.count)
    return difference
  }

  /// Confirms a stored change, and returns the edits that show it below the optimistic changes.
  private func confirm(
    _ change: StoredChange<Item>, in provisional: inout ProvisionalItems<Item>
  ) -> [TableEdit<Item>] {
    let token = change.confirms ?? provisional.noteWritten(change.transforms, over: table)
    return provisional.confirm(change.edits, by: token, in: &table)
  }
}

extension TableDifference {
  @MainActor
  func discard() {
    Pantry.discard(change, of: change.removed.count + change.inserted.count)
  }
}

extension TableEdit {
  var count: Int {
    switch self {
    case .put(let entries): entries.count
    case .note(let rows): rows.count
    case .remove(let keys): keys.count
    case .removeAll: 0
    case .replace(let other): other.items.count
    }
  }

  /// The approximate number of affected items.
  func cost(on table: ItemTable<Item>) -> Int {
    switch self {
    case .put, .note: count
    case .remove(let keys): keys.count + (keys.count > 8 ? table.items.count / 64 : 0)
    case .removeAll: table.items.count
    case .replace(let other): table.items.count + other.items.count
    }
  }
}
