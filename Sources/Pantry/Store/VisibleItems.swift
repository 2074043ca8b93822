/// The items of a store as observers see them: those on disk, with the optimistic changes on top.
@MainActor
final class VisibleItems<Item: StorableItem> {
  let coder: ItemCoder<Item>
  var table = ItemTable<Item>()
  var provisional = ProvisionalItems<Item>()
  /// The number of changes to `table` and `provisional`.
  var revision = 0
  /// Whether the items have been small: then one is encoded, and compared, in the engine's turn.
  var areSmall = true

  let eventSubscribers = EventBroadcast<Item>()
  let valueSubscribers = Broadcast<[Item]>()
  /// Notifies of each change of the items.
  let gate = ObservationGate()
  let entityGates = EntityGates()

  init(_ coder: ItemCoder<Item>) {
    self.coder = coder
  }

  func identifier(_ item: Item) -> CacheKey { coder.definition.identifier(item) }

  /// The row under `key` that exists in the storage and cannot be read, whatever is shown in its
  /// place.
  func storedIssue(_ key: CacheKey) -> LoadIssue? {
    provisional.issue(key) ?? table.issue(key)?.issue
  }

  /// The error of an operation that depends on a row that cannot be read.
  func refusal(_ issue: LoadIssue) -> StorageError {
    issue.refusal(of: TypeName(Item.self), supported: coder.definition.upgrades.count)
  }

  // MARK: Notifying

  /// Notifies observers and subscribers of items that have just been loaded.
  func notifyLoaded() {
    entityGates.notify { table.holdsItem($0) }
    eventSubscribers.send([StoreEvent(operation: .loaded, items: table.items)], of: table.items)
    if !table.items.isEmpty { valueSubscribers.send(table.items) }
  }

  /// Applies `edits` in memory, and notifies observers and subscribers of the difference.
  func show(_ edits: [TableEdit<Item>]) {
    notify(apply(edits))
  }

  /// - Parameter unchanged: the keys whose items keep their bytes, as far as that is known: others
  ///   count as changed.
  func apply(
    _ edits: [TableEdit<Item>], unchanged: Set<CacheKey> = []
  ) -> TableDifference<Item> {
    revision += 1
    let difference = table.apply(
      edits, observed: observedKeys(of: edits), isSubscribed: isSubscribed, unchanged: unchanged)
    assert(table.isConsistent, "the table is inconsistent")
    return difference
  }

  var isSubscribed: Bool {
    eventSubscribers.subscriberCount + valueSubscribers.subscriberCount > 0
  }

  /// Notifies observers and subscribers of an applied change; call it before the next one.
  func notify(_ difference: TableDifference<Item>) {
    guard difference.isDifferent else { return }
    // After the change, which is known only now. On the main actor no reader comes in between.
    gate.withMutation {}
    let change = difference.change
    var events: [StoreEvent<Item>] = []
    if !change.removed.isEmpty {
      events.append(StoreEvent(operation: .remove, items: change.removed))
    }
    if !change.inserted.isEmpty {
      events.append(StoreEvent(operation: .insert, items: change.inserted))
    }
    if !events.isEmpty { eventSubscribers.send(events, of: table.items) }
    if !change.isEmpty { valueSubscribers.send(table.items) }
    for key in difference.entities { entityGates.notify(key) }
  }

  private func observedKeys(of edits: [TableEdit<Item>]) -> [CacheKey] {
    guard !entityGates.isEmpty else { return [] }
    guard !edits.contains(where: \.concernsAll) else { return entityGates.observed }
    let keys = edits.flatMap { entityGates.observed($0.keys(in: table)) }
    return edits.count > 1 ? Array(Set(keys)) : keys
  }
}

extension TableEdit {
  fileprivate var concernsAll: Bool {
    switch self {
    case .removeAll, .replace: true
    case .put, .note, .remove: false
    }
  }
}
