extension Store {
  /// A stream of the store's events from now on, in order.
  ///
  /// It begins with `.initialized`; `.loaded` follows, at once if the store has loaded. An
  /// operation that changes something is one event; a chain is one removal and then one insertion,
  /// of its net effect: an item that a chain removes and adds back unchanged is in neither.
  ///
  /// Events wait in memory until they are read, within a limit: when a reader is behind by as many
  /// items as the store has, and by at least 1,000, one `.loaded` event with all items replaces
  /// the unread events. A reader that starts over at each `.loaded` ends with the items of the
  /// store. The stream ends when this store, and the others that share its items, have been
  /// deallocated.
  ///
  /// - Complexity: with subscribers, an operation costs O(its items); one that removes everything,
  ///   O(all items).
  public var events: AsyncStream<StoreEvent<Item>> {
    var past = [StoreEvent<Item>(operation: .initialized, items: [])]
    let visible = core.visible
    if core.isLoaded { past.append(StoreEvent(operation: .loaded, items: visible.table.items)) }
    return visible.eventSubscribers.subscribe(startingWith: past)
  }

  /// A stream of the current items, then the newest after each change; older ones may be skipped.
  ///
  /// The stream ends when the store, and the others that share its items, have been deallocated.
  ///
  /// - Complexity: a stream keeps the array it delivers, so while one exists each operation copies
  ///   the array.
  public var values: AsyncStream<[Item]> {
    core.visible.valueSubscribers.subscribe(
      startingWith: [core.visible.table.items], bufferingPolicy: .bufferingNewest(1))
  }
}
