/// What the disk has now, to be made in memory.
struct StoredChange<Item: StorableItem> {
  let edits: [TableEdit<Item>]
  /// The change that had shown these items before.
  ///
  /// Those that were shown after it go on to be shown; nil ends all that was only shown of them.
  var settles: ProvisionalItems<Item>.Token?
  /// What was made of the items whose new content depends on the old one alone.
  var transforms: [CacheKey: [ProvisionalItems<Item>.Transform]] = [:]

  @MainActor
  func discard() {
    let count = edits.reduce(0) { $0 + $1.count }
    Pantry.discard((edits, transforms), of: count)
  }
}

/// A table that was made beside the one that is shown, to take its place at once.
@MainActor
struct PreparedChange<Item: StorableItem> {
  fileprivate var table: ItemTable<Item>
  fileprivate let difference: TableDifference<Item>
  fileprivate let provisional: ProvisionalItems<Item>
  fileprivate let revision: Int
  fileprivate let isSubscribed: Bool
}

extension StoreCore {
  /// How many items a change may concern for it to be made on the main actor: about 2 ms.
  static var limitInPlace: Int { 1_000 }

  /// Makes in memory what the disk has, and tells whoever observes something of it.
  func change(_ change: StoredChange<Item>) async {
    let difference = make(change, await prepare(change))
    tell(difference)
    difference.discard()
    change.discard()
  }

  /// Makes a large change beside the table, off the main actor.
  ///
  /// To be called in a turn of the operations, in which only optimistic changes are shown.
  ///
  /// - Returns: nil if the change is to be made in place: it is small, or others come before it.
  func prepare(_ change: StoredChange<Item>) async -> PreparedChange<Item>? {
    let cost = change.edits.reduce(0) { $0 + $1.cost(on: table) }
    guard cost > Self.limitInPlace || !table.hasRoom(for: change.edits) else { return nil }
    for _ in 0..<3 {
      let (former, isSubscribed) = (revision, isSubscribed)
      var provisional = provisional
      let edits = settle(change, in: &provisional)
      entityGates.beginNoting()
      let (table, difference) = await table.applying(
        edits, observed: entityGates.observed, isSubscribed: isSubscribed)
      let prepared = PreparedChange(
        table: table, difference: difference, provisional: provisional, revision: former,
        isSubscribed: isSubscribed)
      if isCurrent(prepared) { return prepared }
      discard((table, edits), of: table.items.count)
    }
    return nil
  }

  /// Whether nothing has been shown, and nobody has subscribed, since it was begun.
  private func isCurrent(_ prepared: PreparedChange<Item>) -> Bool {
    prepared.revision == revision && (prepared.isSubscribed || !isSubscribed)
  }

  /// Makes a change in memory.
  ///
  /// - Parameter prepared: the change made beside the table; it is made in place if that is nil or
  ///   no longer of this table.
  /// - Returns: what observers and subscribers are to be told.
  func make(
    _ change: StoredChange<Item>, _ prepared: PreparedChange<Item>?
  ) -> TableDifference<Item> {
    let noted = entityGates.endNoting()
    guard var prepared, isCurrent(prepared) else {
      return apply(settle(change, in: &provisional))
    }
    revision += 1
    swap(&table, &prepared.table)
    provisional = prepared.provisional
    var difference = prepared.difference
    difference.entities += noted.filter { table.item($0) != prepared.table.item($0) }
    discard(prepared.table, of: prepared.table.items.count)
    return difference
  }

  /// Takes note of what the disk has, and returns what shows it and the changes on top of it.
  private func settle(
    _ change: StoredChange<Item>, in provisional: inout ProvisionalItems<Item>
  ) -> [TableEdit<Item>] {
    let token = change.settles ?? provisional.noteWritten(change.transforms, over: table)
    let shown = provisional.settle(change.edits, by: token)
    return shown.before + change.edits + shown.after
  }
}

extension TableDifference {
  @MainActor
  func discard() {
    Pantry.discard(change, of: change.removed.count + change.inserted.count)
  }
}

extension TableEdit {
  /// How many items it holds.
  var count: Int {
    switch self {
    case .put(let entries): entries.count
    case .note(let rows): rows.count
    case .remove(let keys): keys.count
    case .removeAll: 0
    case .replace(let other): other.items.count
    }
  }

  /// About how many items it concerns.
  func cost(on table: ItemTable<Item>) -> Int {
    switch self {
    case .put, .note: count
    case .remove(let keys): keys.count + (keys.count > 8 ? table.items.count / 64 : 0)
    case .removeAll: table.items.count
    case .replace(let other): table.items.count + other.items.count
    }
  }
}
