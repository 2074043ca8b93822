/// What edits have changed in a table, for those who observe it.
struct TableDifference<Item: StorableItem>: Sendable {
  var isDifferent = false
  /// What has come and gone; empty if no subscriber asks for it.
  var change = TableExcerpt<Item>.Change()
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
    let before = isExact ? TableExcerpt(edits.flatMap { $0.keys(in: self) }, of: self) : nil
    let formerIssues = issues
    let former = observed.map { item($0) }
    for edit in edits { edit.apply(to: &self) }
    var difference = TableDifference<Item>(isDifferent: true)
    if let before {
      difference.change = before.change(to: self)
      difference.isDifferent = !difference.change.isEmpty || issues != formerIssues
    }
    difference.entities = zip(observed, former).filter { item($0) != $1 }.map(\.0)
    return difference
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
