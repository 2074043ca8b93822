extension StoreCore {
  /// Tells the subscribers that the items have loaded.
  func tellLoaded() {
    eventSubscribers.send(StoreEvent(operation: .loaded, items: table.items))
    if !table.items.isEmpty { valueSubscribers.send(table.items) }
  }

  /// Makes `edits`, which the disk has, in memory, and tells whoever observes something of it.
  ///
  /// - Parameter change: the change that had shown these items before; those that were shown after it
  ///   go on to be shown. Nil ends all that was only shown of them.
  func change(_ edits: [TableEdit<Item>], settling change: ProvisionalItems<Item>.Token? = nil) {
    show(settled(edits, by: change))
  }

  /// Makes `edits` in memory as ``change(_:settling:)`` does.
  ///
  /// - Returns: what tells observers and subscribers of it, if there is something to tell.
  func changeSilently(
    _ edits: [TableEdit<Item>], settling change: ProvisionalItems<Item>.Token?
  ) -> () -> Void {
    let edits = settled(edits, by: change)
    guard edits.contains(where: { $0.effect(on: table) != .none }) else {
      for edit in edits { edit.apply(to: &table) }
      return {}
    }
    let formerEntities = observedEntities(of: edits)
    let tellDifference = applySilently(edits)
    return { [self] in
      tellDifference()
      tellEntities(formerEntities)
    }
  }

  private func settled(
    _ edits: [TableEdit<Item>], by change: ProvisionalItems<Item>.Token?
  ) -> [TableEdit<Item>] {
    let shown = provisional.settle(edits, by: change)
    return shown.before + edits + shown.after
  }

  /// Makes `edits` in memory, and tells observers and subscribers what is different.
  func show(_ edits: [TableEdit<Item>]) {
    func apply() { for edit in edits { edit.apply(to: &table) } }
    let effects = edits.map { $0.effect(on: table) }
    guard effects.contains(where: { $0 != .none }) else { return apply() }
    let formerEntities = observedEntities(of: edits)
    let hasSubscribers = eventSubscribers.subscriberCount + valueSubscribers.subscriberCount > 0
    if hasSubscribers || edits.count > 1 || effects.contains(.perhaps) {
      applySilently(edits)()
    } else {
      gate.withMutation(apply)
    }
    tellEntities(formerEntities)
  }

  private func tellEntities(_ former: [(key: CacheKey, item: Item?)]) {
    for (key, former) in former where table.item(key) != former { entityGates.tell(key) }
  }

  /// Makes `edits` in memory; returns what tells of the difference, for before the next change.
  private func applySilently(_ edits: [TableEdit<Item>]) -> () -> Void {
    let before = TableExcerpt(edits.flatMap { $0.keys(in: table) }, of: table)
    let issues = table.issues
    for edit in edits { edit.apply(to: &table) }
    return { [self] in
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
  }

  /// The items that somebody observes and `edits` may change, as they are now.
  private func observedEntities(of edits: [TableEdit<Item>]) -> [(key: CacheKey, item: Item?)] {
    guard !entityGates.isEmpty else { return [] }
    let keys =
      edits.contains(where: \.concernsAll)
      ? entityGates.observed : edits.flatMap { entityGates.observed($0.keys(in: table)) }
    return keys.map { ($0, table.item($0)) }
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
