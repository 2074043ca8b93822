/// The optimistic changes of a table: visible but not on disk, while their `commit` runs.
///
/// For each item it keeps the content on disk, and the changes since in their order, each as a
/// transform of the item. So a failed change is removed from between the others, and a successful
/// one is written without those still pending.
///
/// The order is that of the storage: an item on disk is at its row, even while a change hides it,
/// and one that a change adds comes after all rows until it has one.
@MainActor
struct ProvisionalItems<Item: StorableItem> {
  /// Identifies a change; later ones are larger.
  typealias Token = Int

  /// The effect of a change on an item; nil stands for an absent item.
  typealias Transform = @MainActor (_ item: Item?) -> Item?

  private struct Change {
    let token: Token
    /// Nil if the change removes the row.
    let transform: Transform?
    /// Whether the change has removed the row before, which moves the item to the end.
    let reinserts: Bool
    /// The place of an item that the change adds.
    let ordinal: Int
    var isWritten = false

    var removes: Bool { transform == nil }

    @MainActor
    func result(on item: Item?) -> Item? { transform.flatMap { $0(item) } }
  }

  /// The changes of one item, on top of its content on disk.
  @MainActor
  private struct Layers {
    var base: Item?
    /// The position of the row on disk; nil if there is none.
    var ordinal: Int?
    /// The issue of a row that could not be decoded.
    var issue: LoadIssue?
    var changes: [Change] = []

    func item(after matches: (Change) -> Bool) -> Item? {
      changes.reduce(base) { item, change in matches(change) ? change.result(on: item) : item }
    }

    /// The item on disk.
    var written: Item? { item(after: \.isWritten) }

    /// The place of the item if the pending changes are written in their order.
    var place: Int? {
      var (place, moved) = (ordinal, Int?.none)
      var isAbsent = ordinal == nil
      var item = base
      for change in changes {
        item = change.result(on: item)
        if change.removes {
          isAbsent = true
        } else if item != nil {
          if change.isWritten {
            place = moved ?? ordinal ?? place
          } else if change.reinserts || isAbsent {
            place = change.ordinal
            if change.reinserts { moved = place }
          }
          isAbsent = false
        }
      }
      return place
    }

    /// Folds the oldest changes into `base`, as far as they are on disk.
    mutating func fold() {
      while let first = changes.first, first.isWritten {
        base = first.result(on: base)
        if first.removes || base != nil { issue = nil }
        changes.removeFirst()
      }
    }
  }

  private var layers: [CacheKey: Layers] = [:]
  /// The items of each change, in the order of the change.
  private var keysOfChange: [Token: [CacheKey]] = [:]
  private var lastToken = 0
  /// Larger than the ordinal of any row, with a number or without.
  private var nextOrdinal = 3 << 61

  mutating func begin() -> Token {
    lastToken += 1
    keysOfChange[lastToken] = []
    return lastToken
  }

  /// The keys of all items with optimistic changes.
  var keys: [CacheKey] { Array(layers.keys) }

  var isEmpty: Bool { layers.isEmpty }

  /// The number of items with optimistic changes.
  var count: Int { layers.count }

  /// The content on disk of an item with optimistic changes; nil for other items.
  func written(_ key: CacheKey) -> Item?? { layers[key].map { $0.written } }

  /// The row on disk of an item with optimistic changes, if it cannot be read.
  func issue(_ key: CacheKey) -> LoadIssue? { layers[key]?.issue }

  /// Records the effect of a change on an item; a second effect applies after the first.
  ///
  /// - Parameter transform: the effect; nil removes the row.
  mutating func note(
    _ key: CacheKey, by token: Token, over table: ItemTable<Item>, _ transform: Transform?
  ) {
    assert(keysOfChange[token] != nil, "a change that has ended goes on")
    var former = layers[key] ?? Self.layers(of: key, in: table)
    let own = former.changes.filter { $0.token == token }
    let reinserts = transform != nil && own.last?.removes == true
    former.changes.append(
      Change(token: token, transform: transform, reinserts: reinserts, ordinal: nextOrdinal))
    nextOrdinal += 1
    layers[key] = former
    if reinserts { keysOfChange[token]?.removeAll { $0 == key } }
    if reinserts || own.isEmpty { keysOfChange[token, default: []].append(key) }
  }

  private static func layers(of key: CacheKey, in table: ItemTable<Item>) -> Layers {
    if let (issue, ordinal) = table.issue(key) { return Layers(ordinal: ordinal, issue: issue) }
    return Layers(base: table.item(key), ordinal: table.ordinal(key))
  }

  /// Records a change already written, for the items with optimistic changes.
  mutating func noteWritten(_ transforms: [CacheKey: [Transform]], over table: ItemTable<Item>)
    -> Token?
  {
    guard !layers.isEmpty else { return nil }
    let shown = transforms.filter { layers[$0.key] != nil }
    guard !shown.isEmpty else { return nil }
    let token = begin()
    for (key, transforms) in shown {
      for transform in transforms { note(key, by: token, over: table, transform) }
    }
    return token
  }

  /// The part of a change that is not written: keys to remove, and then items to add.
  struct Unwritten {
    fileprivate(set) var keys: [CacheKey] = []
    fileprivate(set) var removed: [CacheKey] = []
    fileprivate(set) var items: [Item] = []
  }

  /// Returns the part of a change that is not written.
  func unwritten(of token: Token) -> Unwritten {
    var rest = Unwritten()
    for key in keys(of: token) { add(key, of: token, to: &rest) }
    return rest
  }

  /// Does the same item by item.
  ///
  /// A row that was written meanwhile is left out.
  func add(_ key: CacheKey, of token: Token, to rest: inout Unwritten) {
    guard let layers = layers[key] else { return }
    let own = layers.changes.filter { $0.token == token }
    guard !own.isEmpty else { return }
    rest.keys.append(key)
    let isOnDisk = layers.ordinal != nil
    guard let new = layers.item(after: { $0.isWritten || $0.token == token }) else {
      if isOnDisk && own.contains(where: \.removes) { rest.removed.append(key) }
      return
    }
    let reinserts = isOnDisk && own.contains(where: \.reinserts)
    if reinserts { rest.removed.append(key) }
    rest.items.append(new)
  }

  /// Returns the edits that show the items of a change.
  func edits(showing token: Token) -> [TableEdit<Item>] {
    var shown = ShownItems()
    for key in keys(of: token) { add(key, to: &shown) }
    return shown.edits
  }

  /// Does the same in slices that let the main actor run in between.
  func editsInSlices(showing token: Token) async -> [TableEdit<Item>] {
    var shown = ShownItems()
    await MainActor.inSlices(keys(of: token)) { add($0, to: &shown) }
    return shown.edits
  }

  private func add(_ key: CacheKey, to shown: inout ShownItems) {
    if let layers = layers[key] { shown.add(key, layers) }
  }

  /// The items of a change, in its order.
  func keys(of token: Token) -> [CacheKey] { keysOfChange[token] ?? [] }

  /// Rolls a change back; returns the edits that show the items without it.
  mutating func rollBack(_ token: Token) -> [TableEdit<Item>] {
    var rest = ShownItems()
    for key in keysOfChange.removeValue(forKey: token) ?? [] {
      rollBack(key, of: token, showing: &rest)
    }
    assert(isConsistent, "a change shows items that it does not know")
    return rest.edits
  }

  /// Does the same in slices that let the main actor run in between.
  mutating func rollBackInSlices(_ token: Token) async -> [TableEdit<Item>] {
    var rest = ShownItems()
    await MainActor.inSlices(keysOfChange.removeValue(forKey: token) ?? []) {
      rollBack($0, of: token, showing: &rest)
    }
    return rest.edits
  }

  private mutating func rollBack(_ key: CacheKey, of token: Token, showing rest: inout ShownItems) {
    guard var former = layers[key], former.changes.contains(where: { $0.token == token }) else {
      return
    }
    former.changes.removeAll { $0.token == token }
    rest.add(key, fold(former, key))
  }

  /// Whether each pending change of an item is one that has not ended, and changes it.
  private var isConsistent: Bool {
    layers.count > 32
      || layers.allSatisfy { key, layers in
        !layers.changes.isEmpty
          && layers.changes.allSatisfy {
            $0.isWritten || keysOfChange[$0.token]?.contains(key) == true
          }
      }
  }

  /// Confirms edits that are on disk now.
  ///
  /// - Parameters:
  ///   - token: the change that has been written. Optimistic state of other edited items is
  ///     discarded; with nil, that of all edited items.
  ///   - table: numbers the new rows of an engine that does not.
  /// - Returns: the edits with the places of the rows, and those that show the remaining changes on
  ///   top.
  mutating func confirm(
    _ edits: [TableEdit<Item>], by token: Token?, in table: inout ItemTable<Item>
  ) -> [TableEdit<Item>] {
    guard !layers.isEmpty else {
      if let token { keysOfChange[token] = nil }
      return edits
    }
    var confirmation = Confirmation(own: Set(token.map { keys(of: $0) } ?? []))
    for edit in edits {
      if case .put(var entries) = edit {
        entries.positions = entries.keys.enumerated().map { index, key in
          place(key, at: entries.position(index), &confirmation, in: &table)
        }
        confirmation.confirmed.append(.put(entries))
      } else {
        confirm(edit, &confirmation)
      }
    }
    var rest = ShownItems()
    if let token {
      for key in keysOfChange.removeValue(forKey: token) ?? [] {
        markWritten(key, of: token, showing: &rest)
      }
    }
    assert(isConsistent, "a change shows items that it does not know")
    return confirmation.confirmed + confirmation.remaining + rest.edits
  }

  /// Does the same in slices that let the main actor run in between.
  mutating func confirmInSlices(
    _ edits: [TableEdit<Item>], by token: Token?, in visible: VisibleItems<Item>
  ) async -> [TableEdit<Item>] {
    guard !layers.isEmpty else { return confirm(edits, by: token, in: &visible.table) }
    var confirmation = Confirmation(own: Set(token.map { keys(of: $0) } ?? []))
    for edit in edits {
      if case .put(var entries) = edit {
        var positions: [Int?] = []
        await MainActor.inSlices(entries.keys) { key in
          positions.append(
            place(key, at: entries.position(positions.count), &confirmation, in: &visible.table))
        }
        entries.positions = positions
        confirmation.confirmed.append(.put(entries))
      } else if case .remove(let gone) = edit {
        await MainActor.inSlices(gone) { forget($0, &confirmation) }
        confirmation.confirmed.append(edit)
      } else {
        confirm(edit, &confirmation)
      }
    }
    var rest = ShownItems()
    if let token {
      await MainActor.inSlices(keysOfChange.removeValue(forKey: token) ?? []) {
        markWritten($0, of: token, showing: &rest)
      }
    }
    return confirmation.confirmed + confirmation.remaining + rest.edits
  }

  /// The state of confirming edits.
  private struct Confirmation {
    /// The keys of the change that has been written.
    let own: Set<CacheKey>
    var places = RowPlaces()
    var confirmed: [TableEdit<Item>] = []
    var remaining: [TableEdit<Item>] = []
  }

  /// Returns the place of an item that is on disk now.
  ///
  /// The places of new rows are in their order, also among those without changes.
  private mutating func place(
    _ key: CacheKey, at position: Int?, _ confirmation: inout Confirmation,
    in table: inout ItemTable<Item>
  ) -> Int {
    let position =
      position ?? confirmation.places[key, former: { row(key, in: table) }] ?? table.takeOrdinal()
    confirmation.places.put(key, at: position)
    layers[key]?.ordinal = position
    if !confirmation.own.contains(key) { layers[key] = nil }
    return position
  }

  /// Forgets the row of an item that is no longer on disk.
  private mutating func forget(_ key: CacheKey, _ confirmation: inout Confirmation) {
    confirmation.places.put(key, at: nil)
    layers[key]?.ordinal = nil
    if !confirmation.own.contains(key) { layers[key] = nil }
  }

  private mutating func confirm(_ edit: TableEdit<Item>, _ confirmation: inout Confirmation) {
    switch edit {
    case .put: preconditionFailure("its rows have places")
    case .note(let rows): for row in rows { layers[row.issue.key] = nil }
    case .remove(let gone): for key in gone { forget(key, &confirmation) }
    case .removeAll:
      confirmation.places.removeAll()
      layers = [:]
    case .replace(let table): confirmation.remaining += replace(by: table)
    }
    confirmation.confirmed.append(edit)
  }

  /// The place of a row on disk before the change that is confirmed.
  private func row(_ key: CacheKey, in table: ItemTable<Item>) -> Int? {
    if let layers = layers[key] { return layers.ordinal }
    return table.ordinal(key) ?? table.issue(key)?.ordinal
  }

  /// Keeps the optimistic changes of rows that are the same in a replaced table.
  private mutating func replace(by table: ItemTable<Item>) -> [TableEdit<Item>] {
    var rest = ShownItems()
    for (key, former) in layers {
      guard table.item(key) == former.written, table.issue(key)?.issue == former.issue else {
        layers[key] = nil
        continue
      }
      var former = former
      // Equal items may differ in their bytes.
      if !former.changes.contains(where: \.isWritten) { former.base = table.item(key) }
      former.ordinal = table.ordinal(key) ?? table.issue(key)?.ordinal
      layers[key] = former
      rest.add(key, former)
    }
    return rest.edits
  }

  private mutating func markWritten(
    _ key: CacheKey, of token: Token, showing rest: inout ShownItems
  ) {
    guard var former = layers[key] else { return }
    for index in former.changes.indices where former.changes[index].token == token {
      former.changes[index].isWritten = true
    }
    rest.add(key, fold(former, key))
  }

  /// Keeps what is pending of an item; returns it folded.
  private mutating func fold(_ former: Layers, _ key: CacheKey) -> Layers {
    var rest = former
    rest.fold()
    layers[key] = rest.changes.isEmpty ? nil : rest
    return rest
  }

  /// Collects the edits that show items with all their changes.
  @MainActor
  private struct ShownItems {
    private var removed: [CacheKey] = []
    private var entries = TableEdit<Item>.Entries()
    private var issues: [(issue: LoadIssue, position: Int)] = []

    mutating func add(_ key: CacheKey, _ layers: Layers) {
      if let item = layers.item(after: { _ in true }) {
        entries.append(item, key: key, position: layers.place)
      } else if let issue = layers.issue, let ordinal = layers.ordinal,
        !layers.changes.contains(where: \.removes)
      {
        issues.append((issue, ordinal))
      } else {
        removed.append(key)
      }
    }
    var edits: [TableEdit<Item>] {
      var edits: [TableEdit<Item>] = []
      if !removed.isEmpty { edits.append(.remove(removed)) }
      if !entries.isEmpty { edits.append(.put(entries)) }
      if !issues.isEmpty { edits.append(.note(issues)) }
      return edits
    }
  }
}
