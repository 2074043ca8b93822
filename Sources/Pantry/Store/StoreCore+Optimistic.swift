extension StoreCore {
  /// Shows what `steps` come to, then runs `commit`, then writes what that has not written itself.
  ///
  /// If one of both fails, what the steps have shown is taken back, as far as nothing else has been
  /// written in its place.
  func optimistically<Result>(
    _ steps: [Step], commit: () async throws -> Result
  ) async throws -> Result {
    if !isLoaded { try await load() }
    let token = provisional.begin()
    do {
      try show(steps, by: token)
      let result = try await commit()
      try await perform([.settle(token)], settling: token)
      return result
    } catch {
      show(provisional.takeBack(token))
      throw error
    }
  }

  /// Shows what `steps` come to, all or nothing.
  private func show(_ steps: [Step], by token: ProvisionalItems<Item>.Token) throws {
    let resolution = try StepResolution(steps, in: self, isOfShown: true)
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
        // Also what is shown as gone: it is to stay so if that is taken back.
        let keys = table.keys + provisional.keys.filter { !table.holdsItem($0) }
        for key in keys { remove(key) }
        edits.append(.remove(keys))
      }
    }
    show(edits)
  }
}
