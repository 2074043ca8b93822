/// The items of a store in insertion order, found by key.
///
/// Each key has an ordinal, and the ordinals are sorted like the items: a position is found by
/// binary search, and no removal renumbers the rest. An ordinal is the number of the row on disk
/// where that is known, so that all followers of one storage have one order; items without a number
/// come last.
struct ItemTable<Item: StorableItem>: Sendable {
  private(set) var items: [Item] = []
  private(set) var issues: [LoadIssue] = []
  private var ordinals: [Int] = []
  private var ordinalByKey: [CacheKey: Int] = [:]
  /// Rows that are on disk but could not be decoded: an item that replaces one takes its place.
  private var ordinalByIssueKey: [CacheKey: Int] = [:]
  /// Larger than any row number.
  private var nextOrdinal = 1 << 62

  /// Whether all parts agree; a large table is taken for consistent, since looking is O(n).
  var isConsistent: Bool {
    guard items.count == ordinals.count, items.count == ordinalByKey.count,
      issues.count == ordinalByIssueKey.count
    else { return false }
    guard items.count <= 32 else { return true }
    return Set(ordinalByKey.values) == Set(ordinals)
      && zip(ordinals, ordinals.dropFirst()).allSatisfy(<)
      && !ordinalByIssueKey.keys.contains { ordinalByKey[$0] != nil }
  }

  mutating func reserveCapacity(_ count: Int) {
    items.reserveCapacity(count)
    ordinals.reserveCapacity(count)
    ordinalByKey.reserveCapacity(count)
  }

  /// Reserves room for a quarter more: an addition without room copies everything.
  mutating func reserveRoom() {
    let count = items.count + items.count / 4
    guard items.count > Self.smallCount, !hasRoom(for: items.count / 16) else { return }
    reserveCapacity(count)
  }

  /// Whether items can be added without copying those that are there.
  ///
  /// Always true for a small table, which is cheap to copy.
  func hasRoom(for edits: [TableEdit<Item>]) -> Bool {
    hasRoom(
      for: edits.reduce(0) { if case .put(let entries) = $1 { $0 + entries.count } else { $0 } })
  }

  private static var smallCount: Int { 10_000 }

  func hasRoom(for count: Int) -> Bool {
    items.count <= Self.smallCount
      || count <= items.capacity - items.count && count <= ordinals.capacity - ordinals.count
        && count <= ordinalByKey.capacity - ordinalByKey.count
  }

  /// The keys of the items, in no order.
  var keys: [CacheKey] { Array(ordinalByKey.keys) }

  /// The sort position of the item with this key.
  func ordinal(_ key: CacheKey) -> Int? { ordinalByKey[key] }

  /// The row under this key that could not be decoded, with its sort position.
  func issue(_ key: CacheKey) -> (issue: LoadIssue, ordinal: Int)? {
    guard let ordinal = ordinalByIssueKey[key] else { return nil }
    return issues.first { $0.key == key }.map { ($0, ordinal) }
  }

  /// Whether an item or an issue has this key.
  func holds(_ key: CacheKey) -> Bool {
    ordinalByKey[key] != nil || ordinalByIssueKey[key] != nil
  }

  func holdsItem(_ key: CacheKey) -> Bool { ordinalByKey[key] != nil }

  struct Place {
    let position: Int
    let item: Item
  }

  /// Finds an item.
  ///
  /// - Complexity: O(log n).
  func place(_ key: CacheKey) -> Place? {
    ordinalByKey[key].map { ordinal in
      let position = position(of: ordinal)
      return Place(position: position, item: items[position])
    }
  }

  func item(_ key: CacheKey) -> Item? {
    ordinalByKey[key].map { ordinal in
      let position = position(of: ordinal)
      assert(ordinals[position] == ordinal, "an item is not at its place")
      return items[position]
    }
  }

  /// Adds items, or replaces those with their keys.
  mutating func put(_ entries: TableEdit<Item>.Entries) {
    // Moved rows are removed first: two may have swapped places.
    let moved = zip(entries.keys, entries.positions).filter { key, position in
      position != nil && ordinalByKey[key].map { $0 != position } ?? false
    }
    if !moved.isEmpty { remove(moved.map(\.0)) }
    if entries.count > items.count { reserveCapacity(items.count + entries.count) }
    for index in entries.items.indices {
      upsert(
        entries.items[index], key: entries.keys[index], ordinal: entries.position(index))
    }
  }

  /// Puts `item` at `ordinal`; if nil, where its key is, or was on disk, or at the end.
  ///
  /// - Complexity: O(1) at the end, O(log n) for an existing key that does not move.
  mutating func upsert(_ item: Item, key: CacheKey, ordinal: Int? = nil) {
    if let former = ordinalByKey[key] {
      guard let ordinal, ordinal != former else {
        items[position(of: former)] = item
        return
      }
      remove(key)
      insert(item, key: key, ordinal: ordinal)
    } else if let former = ordinalByIssueKey.removeValue(forKey: key) {
      issues.removeAll { $0.key == key }
      insert(item, key: key, ordinal: ordinal ?? former)
    } else {
      insert(item, key: key, ordinal: ordinal ?? takeOrdinal())
    }
  }

  /// Keeps the place of a row that could not be decoded.
  mutating func note(_ issue: LoadIssue, key: CacheKey, ordinal: Int? = nil) {
    assert(!holds(key), "a row is an item or an issue, and one only")
    issues.append(issue)
    ordinalByIssueKey[key] = ordinal ?? takeOrdinal()
  }

  /// Returns the place after all rows, for one without a number.
  mutating func takeOrdinal() -> Int {
    assert(nextOrdinal >= 1 << 62, "the place after all rows is among them")
    defer { nextOrdinal += 1 }
    return nextOrdinal
  }

  /// Removes the item, or the issue, with this key.
  @discardableResult
  mutating func remove(_ key: CacheKey) -> Item? {
    if ordinalByIssueKey.removeValue(forKey: key) != nil {
      issues.removeAll { $0.key == key }
    }
    guard let ordinal = ordinalByKey.removeValue(forKey: key) else { return nil }
    let position = position(of: ordinal)
    assert(ordinals[position] == ordinal, "an item is not at its place")
    ordinals.remove(at: position)
    return items.remove(at: position)
  }

  /// Removes the items, and the issues, with these keys.
  ///
  /// - Complexity: O(n) in the number of items, however many keys there are. For a few keys, the
  ///   elements after each are moved.
  mutating func remove(_ keys: [CacheKey]) {
    // Moving the tail once per key is faster than a pass over all: 0.3 ms for 100,000 items.
    guard keys.count > 8 else {
      for key in keys { remove(key) }
      return
    }
    let noted = Set(keys.filter { ordinalByIssueKey.removeValue(forKey: $0) != nil })
    if !noted.isEmpty { issues.removeAll { noted.contains($0.key) } }
    let gone = Set(keys.compactMap { ordinalByKey.removeValue(forKey: $0) })
    guard !gone.isEmpty else { return }
    var kept = 0
    for position in ordinals.indices where !gone.contains(ordinals[position]) {
      if kept != position {
        ordinals[kept] = ordinals[position]
        items.swapAt(kept, position)
      }
      kept += 1
    }
    assert(kept == ordinalByKey.count, "a key names no item, or two")
    ordinals.removeLast(ordinals.count - kept)
    items.removeLast(items.count - kept)
  }

  mutating func removeAll() {
    let next = nextOrdinal
    self = ItemTable()
    nextOrdinal = next
  }

  private mutating func insert(_ item: Item, key: CacheKey, ordinal: Int) {
    assert(ordinalByKey[key] == nil, "an item is inserted twice")
    ordinalByKey[key] = ordinal
    if let last = ordinals.last, last > ordinal {
      let position = position(of: ordinal)
      ordinals.insert(ordinal, at: position)
      items.insert(item, at: position)
    } else {
      ordinals.append(ordinal)
      items.append(item)
    }
  }

  /// The first position whose ordinal is at least `ordinal`.
  private func position(of ordinal: Int) -> Int {
    var low = 0
    var high = ordinals.count
    while low < high {
      let middle = low + (high - low) / 2
      if ordinals[middle] < ordinal { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
