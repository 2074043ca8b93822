extension Store {
  /// What happens to the store from now on, each event in order.
  ///
  /// It begins with `.initialized`, and `.loaded` follows: at once if the store has loaded. An
  /// operation that changes something is one event; a chain is a removal and then an insertion, of
  /// what it has removed and inserted in the end. An item that a chain removes and adds again as it
  /// was is in neither. Events that are not taken wait in memory. The stream ends when the store
  /// goes away.
  ///
  /// - Complexity: while somebody listens, an operation costs O(its items); one that removes
  ///   everything, O(all items).
  public var events: AsyncStream<StoreEvent<Item>> {
    var past = [StoreEvent<Item>(operation: .initialized, items: [])]
    if isLoaded { past.append(StoreEvent(operation: .loaded, items: table.items)) }
    return eventSubscribers.subscribe(startingWith: past, bufferingPolicy: .unbounded)
  }

  /// The items now, then the newest after each change; older ones may be skipped.
  ///
  /// The stream ends when the store goes away.
  ///
  /// - Complexity: a stream holds on to the array it gives, so while there is one each operation
  ///   copies the array.
  public var values: AsyncStream<[Item]> {
    valueSubscribers.subscribe(
      startingWith: [table.items], bufferingPolicy: .bufferingNewest(1))
  }

  /// Tells the subscribers that the store has loaded.
  func tellLoaded() {
    eventSubscribers.send(StoreEvent(operation: .loaded, items: table.items))
    if !table.items.isEmpty { valueSubscribers.send(table.items) }
  }

  /// Performs `steps` in memory by `apply` and tells the subscribers what has changed.
  func telling(_ steps: [Step], apply: () -> Void) {
    guard eventSubscribers.subscriberCount + valueSubscribers.subscriberCount > 0 else {
      return apply()
    }
    let before = TableExcerpt(keys(of: steps), of: table)
    apply()
    let change = before.change(to: table)
    if !change.removed.isEmpty {
      eventSubscribers.send(StoreEvent(operation: .remove, items: change.removed))
    }
    if !change.inserted.isEmpty {
      eventSubscribers.send(StoreEvent(operation: .insert, items: change.inserted))
    }
    if !change.isEmpty { valueSubscribers.send(table.items) }
  }

  /// The keys of all items that `steps` may change.
  private func keys(of steps: [Step]) -> [String] {
    steps.flatMap { step in
      switch step {
      case .add(let items), .remove(let items): items.map(identifier)
      case .removeAll: table.items.map(identifier)
      }
    }
  }
}
