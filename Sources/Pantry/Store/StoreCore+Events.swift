extension StoreCore {
  /// Tells the subscribers that the items have loaded.
  func tellLoaded() {
    eventSubscribers.send(StoreEvent(operation: .loaded, items: table.items))
    if !table.items.isEmpty { valueSubscribers.send(table.items) }
  }

  /// Performs `steps` in memory by `apply`, and tells observers and subscribers what is different.
  ///
  /// One of the steps at least changes something by itself.
  func telling(_ steps: [Step], apply: () -> Void) {
    let hasSubscribers = eventSubscribers.subscriberCount + valueSubscribers.subscriberCount > 0
    guard hasSubscribers || steps.count > 1 else { return gate.withMutation(apply) }
    let before = TableExcerpt(keys(of: steps), of: table)
    let issues = table.issues
    apply()
    let change = before.change(to: table)
    // The steps of a chain may undo each other: then nobody is told.
    guard !change.isEmpty || table.issues != issues else { return }
    // After the change, since only now is it known. On the main actor nobody reads in between.
    gate.withMutation {}
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
