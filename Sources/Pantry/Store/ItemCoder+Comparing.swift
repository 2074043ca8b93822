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
    let pairs = newItems(of: edits).compactMap { key, new in
      table.item(key).map { Pair(key: key, old: $0, new: new) }
    }
    guard pairs.count > Self.chunkSize else { return Set(same(pairs[...])) }
    if !isExact, let first = pairs.first, same([first]).isEmpty { return [] }
    return Set(await inChunks(pairs) { same($0) }.joined())
  }

  private func same(_ pairs: ArraySlice<Pair>) -> [CacheKey] {
    let coder = RowCoder(storage: storage, upgrades: definition.upgrades)
    return pairs.filter { haveSameBytes($0.new, $0.old, coder) }.map(\.key)
  }

  /// The items that `edits` put, as the last of them leaves them.
  private func newItems(of edits: [TableEdit<Item>]) -> [CacheKey: Item] {
    var items: [CacheKey: Item] = [:]
    for edit in edits {
      switch edit {
      case .put(let entries): for entry in entries { items[entry.key] = entry.item }
      case .note(let rows): for row in rows { items[row.issue.key] = nil }
      case .remove(let keys): for key in keys { items[key] = nil }
      case .removeAll: items = [:]
      case .replace(let other):
        items = Dictionary(
          uniqueKeysWithValues: other.items.map { (definition.identifier($0), $0) })
      }
    }
    return items
  }
}
