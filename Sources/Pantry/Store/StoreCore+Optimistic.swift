extension StoreCore {
  /// Shows the result of `steps`, runs `commit`, then writes what `commit` has not written itself.
  ///
  /// If `commit` or writing fails, the optimistic change is rolled back, except for rows that were
  /// written meanwhile.
  func optimistically<Result>(
    _ steps: [Step], commit: () async throws -> Result
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
  private func show(_ steps: [Step], by token: ProvisionalItems<Item>.Token) throws {
    let resolution = try StepResolution(steps, in: self, includesOptimistic: true)
    var edits: [TableEdit<Item>] = []
    var gone: Set<CacheKey> = []
    var transformed: Set<CacheKey> = []

    func add(_ item: Item) {
      let key = identifier(item)
      let transforms = resolution.transforms[key] ?? [{ _ in item }]
      guard resolution.transforms[key] == nil || transformed.insert(key).inserted else { return }
      for transform in transforms {
        provisional.note(key, by: token, reinserts: gone.contains(key), over: table, transform)
      }
    }
    func remove(_ key: CacheKey) {
      if table.holdsItem(key) { gone.insert(key) }
      provisional.note(key, by: token, over: table) { _ in nil }
    }

    for step in resolution.steps {
      switch step {
      case .add(let items):
        for item in items { add(item) }
        edits.append(.put(items.map { .init(key: identifier($0), item: $0, position: nil) }))
      case .remove(let keys):
        let keys = keys.filter { table.holdsItem($0) || provisional.written($0) != nil }
        for key in keys { remove(key) }
        edits.append(.remove(keys))
      case .removeAll:
        // Also items optimistically removed: they stay removed if that change is rolled back.
        let keys = table.keys + provisional.keys.filter { !table.holdsItem($0) }
        for key in keys { remove(key) }
        edits.append(.remove(keys))
      }
    }
    show(edits)
  }
}
