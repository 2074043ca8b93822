extension StoreCore {
  /// Shows the result of `steps`, runs `commit`, then writes what `commit` has not written itself.
  ///
  /// If `commit` or writing fails, the optimistic change is rolled back, except for rows that were
  /// written meanwhile.
  func optimistically<Result>(
    _ steps: [StoreStep<Item>], commit: () async throws -> Result
  ) async throws -> Result {
    if !isLoaded { try await load() }
    let token = provisional.begin()
    do {
      try show(steps, by: token)
      let result = try await commit()
      try await perform([.confirm(token)], confirming: token)
      return result
    } catch {
      show(provisional.rollBack(token))
      throw error
    }
  }

  /// Shows the result of `steps`, all or nothing.
  private func show(_ steps: [StoreStep<Item>], by token: ProvisionalItems<Item>.Token) throws {
    let resolution = try StepResolution(steps, in: self, includesOptimistic: true)
    var transformed: Set<CacheKey> = []

    func add(_ item: Item) {
      let key = identifier(item)
      let transforms = resolution.transforms[key] ?? [{ _ in item }]
      guard resolution.transforms[key] == nil || transformed.insert(key).inserted else { return }
      for transform in transforms { provisional.note(key, by: token, over: table, transform) }
    }
    // Also items optimistically removed: they stay removed if that change is rolled back.
    func remove(_ key: CacheKey) {
      guard table.holds(key) || provisional.written(key) != nil else { return }
      provisional.note(key, by: token, over: table, nil)
    }

    for step in resolution.steps {
      switch step {
      case .add(let items), .replace(let items, _): for item in items { add(item) }
      case .remove(let keys): for key in keys { remove(key) }
      case .removeAll:
        for key in Set(table.keys + provisional.keys) { remove(key) }
      }
    }
    show(provisional.edits(showing: token))
  }
}
