extension StoreCore {
  func notifyLoaded() {
    assert(isLoaded, "items are announced before they have been loaded")
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
