extension StoreCore {
  /// Shows what `steps` come to, then runs `commit`, then writes what that has not written itself.
  ///
  /// If one of both fails, what the steps have shown is taken back, as far as nothing else has been
  /// written or shown in its place.
  func optimistically<Result>(
    _ steps: [Step], commit: () async throws -> Result
  ) async throws -> Result {
    if !isLoaded { try await load() }
    let token = provisional.begin()
    let keys = try show(steps, by: token)
    do {
      let result = try await commit()
      let rest = provisional.unwritten(of: token, among: keys)
      try await perform([.remove(rest.removed), .add(rest.items)], settling: token)
      return result
    } catch {
      show(provisional.takeBack(token))
      throw error
    }
  }

  /// Returns the keys of what is shown now.
  private func show(_ steps: [Step], by token: ProvisionalItems<Item>.Token) throws -> [String] {
    var resolution = StepResolution(table: table, identifier: identifier)
    for step in steps { try resolution.add(step) }
    var keys: [String] = []
    var edits: [TableEdit<Item>] = []
    func note(_ item: Item?, _ key: String) {
      keys.append(key)
      provisional.note(item, key: key, by: token, over: table)
    }
    for step in resolution.steps {
      switch step {
      case .add(let items):
        for item in items { note(item, identifier(item)) }
        edits.append(
          .put(items.map { .init(key: identifier($0), item: $0, position: nil) }))
      case .remove(let gone):
        let gone = gone.filter(table.holdsItem)
        for key in gone { note(nil, key) }
        edits.append(.remove(gone))
      case .removeAll:
        let gone = table.keys
        for key in gone { note(nil, key) }
        edits.append(.remove(gone))
      case .merge, .update: break  // worked out
      }
    }
    show(edits)
    var known: Set<String> = []
    return keys.filter { known.insert($0).inserted }
  }
}
