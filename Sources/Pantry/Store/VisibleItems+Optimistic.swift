/// Optimistic changes: a large one is prepared in slices, and shown in one step after them.
extension VisibleItems {
  func begin() -> ProvisionalItems<Item>.Token {
    // A change that is being prepared knows nothing of this one.
    revision += 1
    return provisional.begin()
  }

  /// Shows the result of `steps`, in this turn of the main actor unless it is large.
  ///
  /// - Throws: what a change throws, or that a row cannot be read; then nothing is shown.
  func show(_ steps: [StoreStep<Item>], by token: ProvisionalItems<Item>.Token) async throws {
    if try await showInSlices(steps, by: token) { return }
    let effects = try effects(of: StepResolution(steps, in: self))
    for effect in effects { note(effect, by: token, in: &provisional) }
    show(provisional.edits(showing: token))
  }

  func rollBack(_ token: ProvisionalItems<Item>.Token) async {
    if await !rollBackInSlices(token) { show(provisional.rollBack(token)) }
  }

  /// The effect of an optimistic change on one item.
  private struct Effect {
    let key: CacheKey
    /// The changes of the item; nil removes it.
    let transforms: [ProvisionalItems<Item>.Transform]?
  }

  /// Returns the effects of a change in their order.
  private func effects(of resolution: StepResolution<Item>) throws -> [Effect] {
    var effects: [Effect] = []
    var transformed: Set<CacheKey> = []
    for step in resolution.steps {
      switch step {
      case .add(let items), .replace(let items, _):
        for item in items {
          let key = identifier(item)
          let transforms = resolution.transforms[key]
          guard transforms == nil || transformed.insert(key).inserted else { continue }
          effects.append(Effect(key: key, transforms: transforms ?? [{ _ in item }]))
        }
      case .remove(let keys): effects += keys.map { Effect(key: $0, transforms: nil) }
      case .removeAll:
        let keys = Set(table.keys + provisional.keys + effects.map(\.key))
        effects += keys.map { Effect(key: $0, transforms: nil) }
      }
    }
    // Before anything is asked of a server; the commit judges again, by the storage.
    if !table.issues.isEmpty {
      for effect in effects {
        if let issue = storedIssue(effect.key), issue.newerVersion != nil { throw refusal(issue) }
      }
    }
    return effects
  }

  private func note(
    _ effect: Effect, by token: ProvisionalItems<Item>.Token,
    in provisional: inout ProvisionalItems<Item>
  ) {
    let key = effect.key
    if let transforms = effect.transforms {
      for transform in transforms { provisional.note(key, by: token, over: table, transform) }
    } else if table.holds(key) || provisional.written(key) != nil {
      // Also items optimistically removed: they stay removed if that change is rolled back.
      provisional.note(key, by: token, over: table, nil)
    }
  }

  // MARK: Large changes

  /// Shows the result of many steps, prepared in slices that let the main actor run in between.
  ///
  /// - Returns: whether it is shown: false for a small change, and if others came in between at
  ///   each attempt.
  private func showInSlices(
    _ steps: [StoreStep<Item>], by token: ProvisionalItems<Item>.Token
  ) async throws -> Bool {
    guard steps.contains(where: { $0.cost(on: table) > Self.limitInPlace }) else { return false }
    for _ in 0..<3 {
      let former = revision
      let effects = try effects(
        of: await .resolving(steps, in: self, includesOptimistic: true))
      var provisional = provisional
      await MainActor.inSlices(effects) { note($0, by: token, in: &provisional) }
      let edits = await provisional.editsInSlices(showing: token)
      if await show(edits, with: provisional, after: former) { return true }
    }
    return false
  }

  /// Rolls a large change back in the same way.
  private func rollBackInSlices(_ token: ProvisionalItems<Item>.Token) async -> Bool {
    for _ in 0..<3 where provisional.keys(of: token).count > Self.limitInPlace {
      let former = revision
      var provisional = provisional
      let edits = await provisional.rollBackInSlices(token)
      if await show(edits, with: provisional, after: former) { return true }
    }
    return false
  }

  /// Applies edits to a copy of the table off the main actor, and shows it.
  ///
  /// - Parameter former: the revision that they were prepared on; after another change nothing is
  ///   shown.
  private func show(
    _ edits: [TableEdit<Item>], with new: ProvisionalItems<Item>, after former: Int
  ) async -> Bool {
    guard revision == former else { return false }
    let isSubscribed = isSubscribed
    var (other, difference) = await table.applying(
      edits, observed: [], isSubscribed: isSubscribed, unchanged: [])
    let isCurrent = revision == former && (isSubscribed || !self.isSubscribed)
    let gone = isCurrent ? provisional : new
    if isCurrent {
      revision += 1
      provisional = new
      swap(&table, &other)
      if !entityGates.isEmpty {
        difference.entities = entityGates.observed(
          Array(Set(edits.flatMap { $0.keys(in: table) })))
      }
      notify(difference)
    }
    discard((other, edits, gone), of: other.items.count + table.items.count)
    difference.discard()
    return isCurrent
  }
}

extension StoreStep {
  /// The approximate number of affected items.
  fileprivate func cost(on table: ItemTable<Item>) -> Int {
    switch self {
    case .resolved(.add(let items)), .resolved(.replace(let items, _)): items.count
    case .resolved(.remove(let keys)), .rewrite(let keys): keys.count
    case .resolved(.removeAll): table.items.count
    case .merge(let items, let keys, _): items.count + keys.count
    case .update, .removeIssues, .confirm: 1
    }
  }
}
