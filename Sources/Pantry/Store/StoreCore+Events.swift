extension StoreCore {
  /// Tells the subscribers that the items have loaded.
  func tellLoaded() {
    eventSubscribers.send(StoreEvent(operation: .loaded, items: table.items))
    if !table.items.isEmpty { valueSubscribers.send(table.items) }
  }

  /// Shows `edits` in memory, and tells observers and subscribers what is different.
  func show(_ edits: [TableEdit<Item>]) {
    tell(apply(edits))
  }

  func apply(_ edits: [TableEdit<Item>]) -> TableDifference<Item> {
    revision += 1
    return table.apply(edits, observed: observedKeys(of: edits), isSubscribed: isSubscribed)
  }

  var isSubscribed: Bool {
    eventSubscribers.subscriberCount + valueSubscribers.subscriberCount > 0
  }

  /// Tells observers and subscribers of a change that has been made, before the next one.
  func tell(_ difference: TableDifference<Item>) {
    guard difference.isDifferent else { return }
    // After the change, since only now is it known. On the main actor nobody reads in between.
    gate.withMutation {}
    let change = difference.change
    if !change.removed.isEmpty {
      eventSubscribers.send(StoreEvent(operation: .remove, items: change.removed))
    }
    if !change.inserted.isEmpty {
      eventSubscribers.send(StoreEvent(operation: .insert, items: change.inserted))
    }
    if !change.isEmpty { valueSubscribers.send(table.items) }
    for key in difference.entities { entityGates.tell(key) }
  }

  /// The items that somebody observes and `edits` may change.
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
