extension Store {
  /// What happens to the store from now on, each event in order.
  ///
  /// It begins with `.initialized`, and `.loaded` follows: at once if the store has loaded. An
  /// operation that changes something is one event; a chain is a removal and then an insertion, of
  /// what it has removed and inserted in the end. An item that a chain removes and adds again as it
  /// was is in neither. Events that are not taken wait in memory. The stream ends when the store,
  /// and the others that share its items, have gone away.
  ///
  /// - Complexity: while somebody listens, an operation costs O(its items); one that removes
  ///   everything, O(all items).
  public var events: AsyncStream<StoreEvent<Item>> {
    var past = [StoreEvent<Item>(operation: .initialized, items: [])]
    if core.isLoaded { past.append(StoreEvent(operation: .loaded, items: core.table.items)) }
    return core.eventSubscribers.subscribe(startingWith: past, bufferingPolicy: .unbounded)
  }

  /// The items now, then the newest after each change; older ones may be skipped.
  ///
  /// The stream ends when the store, and the others that share its items, have gone away.
  ///
  /// - Complexity: a stream holds on to the array it gives, so while there is one each operation
  ///   copies the array.
  public var values: AsyncStream<[Item]> {
    core.valueSubscribers.subscribe(
      startingWith: [core.table.items], bufferingPolicy: .bufferingNewest(1))
  }
}
