extension ItemCoder {
  private struct Pair: Sendable {
    let key: CacheKey
    let old: Item
    let new: Item
  }

  /// Returns the keys whose items have the same bytes after `edits` as in `table`.
  ///
  /// Items are encoded again for that, since `==` may ignore a part of them, or compare more than
  /// is stored.
  ///
  /// - Parameter isExact: whether all such keys are needed; if not, none is returned as soon as the
  ///   first two items differ.
  @concurrent
  func unchanged(
    by edits: [TableEdit<Item>], in table: ItemTable<Item>, isExact: Bool
  ) async -> Set<CacheKey> {
    let pairs = pairs(edits, table)
    guard pairs.count > Self.chunkSize else { return Set(same(pairs[...])) }
    if !isExact, let first = pairs.first, same([first]).isEmpty { return [] }
    return Set(await inChunks(pairs) { same($0) }.joined())
  }

  private func same(_ pairs: ArraySlice<Pair>) -> [CacheKey] {
    let coder = RowCoder(storage: storage, upgrades: definition.upgrades)
    return pairs.filter { haveSameBytes($0.new, $0.old, coder) }.map(\.key)
  }

  /// The items of `table` that `edits` put again, as the last of them leaves them.
  private func pairs(_ edits: [TableEdit<Item>], _ table: ItemTable<Item>) -> [Pair] {
    var pairs: [CacheKey: Pair] = [:]
    func add(_ key: CacheKey, _ new: @autoclosure () -> Item) {
      // New items, which may be many, are in no pair.
      guard table.holdsItem(key), let old = table.item(key) else { return }
      pairs[key] = Pair(key: key, old: old, new: new())
    }
    for edit in edits {
      switch edit {
      case .put(let entries):
        for (index, key) in entries.keys.enumerated() { add(key, entries.items[index]) }
      case .note(let rows): for row in rows { pairs[row.issue.key] = nil }
      case .remove(let keys): for key in keys { pairs[key] = nil }
      case .removeAll: pairs = [:]
      case .replace(let other):
        pairs = [:]
        for item in other.items { add(definition.identifier(item), item) }
      }
    }
    return Array(pairs.values)
  }
}
