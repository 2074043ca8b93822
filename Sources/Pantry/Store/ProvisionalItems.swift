/// The optimistic changes of a table: visible but not on disk, while their `commit` runs.
///
/// For each item it keeps the content on disk, and the changes since in their order, each as a
/// transform of the item. So a failed change is removed from between the others, and a successful
/// one is written without those still pending.
@MainActor
struct ProvisionalItems<Item: StorableItem> {
  /// Identifies a change; later ones are larger.
  typealias Token = Int

  /// The effect of a change on an item; nil stands for an absent item.
  typealias Transform = @MainActor (_ item: Item?) -> Item?

  private struct Change {
    let token: Token
    let transform: Transform
    /// Whether it removes the item first, which moves it to the end.
    let reinserts: Bool
    var isWritten = false
  }

  /// The changes of one item, on top of its content on disk.
  @MainActor
  private struct Layers {
    var base: Item?
    /// The position of the row on disk.
    var ordinal: Int?
    /// The issue of a row that could not be decoded.
    var issue: LoadIssue?
    var changes: [Change] = []

    /// The item after the matching changes.
    func item(after matches: (Change) -> Bool) -> Item? {
      changes.reduce(base) { item, change in matches(change) ? change.transform(item) : item }
    }

    /// The item on disk.
    var written: Item? { item(after: \.isWritten) }

    /// The edit that shows all changes.
    func edit(_ key: CacheKey) -> TableEdit<Item> {
      if let item = item(after: { _ in true }) {
        let isMoved = changes.contains { $0.reinserts && !$0.isWritten }
        return .put([.init(key: key, item: item, position: isMoved ? nil : ordinal)])
      }
      if let issue, let ordinal, changes.isEmpty { return .note([(issue, ordinal)]) }
      return .remove([key])
    }

    /// Folds the oldest changes into `base`, as far as they are on disk.
    mutating func fold() {
      while let first = changes.first, first.isWritten {
        base = first.transform(base)
        changes.removeFirst()
        issue = nil
      }
    }
  }

  private var layers: [CacheKey: Layers] = [:]
  /// The items of each change, in the order of the change.
  private var keysOfChange: [Token: [CacheKey]] = [:]
  private var lastToken = 0

  /// Begins a change.
  mutating func begin() -> Token {
    lastToken += 1
    keysOfChange[lastToken] = []
    return lastToken
  }

  /// The keys of all items with optimistic changes.
  var keys: [CacheKey] { Array(layers.keys) }

  /// The content on disk of an item with optimistic changes; nil for other items.
  func written(_ key: CacheKey) -> Item?? { layers[key].map(\.written) }

  /// Records the effect of a change on an item; a second effect applies after the first.
  mutating func note(
    _ key: CacheKey, by token: Token, reinserts: Bool = false, over table: ItemTable<Item>,
    _ transform: @escaping Transform
  ) {
    var former = layers[key] ?? Self.layers(of: key, in: table)
    former.changes.append(Change(token: token, transform: transform, reinserts: reinserts))
    layers[key] = former
    keysOfChange[token, default: []].removeAll { $0 == key }
    keysOfChange[token, default: []].append(key)
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

  /// Returns the unwritten part of a change: keys to remove, and then items to add.
  ///
  /// Rows that were written meanwhile are left out.
  func unwritten(of token: Token) -> (keys: [CacheKey], removed: [CacheKey], items: [Item]) {
    var concerned: [CacheKey] = []
    var items: [Item] = []
    var removed: [CacheKey] = []
    for key in keysOfChange[token] ?? [] {
      guard let layers = layers[key] else { continue }
      let own = layers.changes.filter { $0.token == token }
      guard !own.isEmpty else { continue }
      concerned.append(key)
      let old = layers.written
      let reinserts = old != nil && own.contains(where: \.reinserts)
      guard let new = layers.item(after: { $0.isWritten || $0.token == token }) else {
        if old != nil { removed.append(key) }
        continue
      }
      if reinserts { removed.append(key) }
      if reinserts || new != old { items.append(new) }
    }
    return (concerned, removed, items)
  }

  /// Rolls a change back; returns the edits that show the items without it.
  mutating func rollBack(_ token: Token) -> [TableEdit<Item>] {
    var edits: [TableEdit<Item>] = []
    for key in keysOfChange.removeValue(forKey: token) ?? [] {
      guard var rest = layers[key], rest.changes.contains(where: { $0.token == token }) else {
        continue
      }
      rest.changes.removeAll { $0.token == token }
      rest.fold()
      layers[key] = rest.changes.isEmpty ? nil : rest
      edits.append(rest.edit(key))
    }
    return edits
  }

  /// Confirms edits that are on disk now.
  ///
  /// - Parameter token: the change that has been written. Optimistic state of other edited items is
  ///   discarded; with nil, that of all edited items.
  /// - Returns: the edits that show the remaining changes on top, `before` and `after` the given
  ///   edits.
  mutating func confirm(
    _ edits: [TableEdit<Item>], by token: Token?
  ) -> (before: [TableEdit<Item>], after: [TableEdit<Item>]) {
    guard !layers.isEmpty else {
      if let token { keysOfChange[token] = nil }
      return ([], [])
    }
    let own = Set(token.flatMap { keysOfChange[$0] } ?? [])
    var before: [TableEdit<Item>] = []
    var after: [TableEdit<Item>] = []
    for edit in edits {
      switch edit {
      case .put(let entries):
        for entry in entries {
          if let edit = place(entry) { before.append(edit) }
          if !own.contains(entry.key) { layers[entry.key] = nil }
        }
      case .note(let rows): for row in rows { layers[row.issue.key] = nil }
      case .remove(let gone):
        for key in gone {
          layers[key]?.ordinal = nil
          if !own.contains(key) { layers[key] = nil }
        }
      case .removeAll: layers = [:]
      case .replace(let table): after += replace(by: table)
      }
    }
    if let token { after += markWritten(token) }
    return (before, after)
  }

  /// Records the position on disk of a written item; returns the edit that moves it there.
  private mutating func place(_ entry: TableEdit<Item>.Entry) -> TableEdit<Item>? {
    guard let former = layers[entry.key] else { return nil }
    if let position = entry.position {
      layers[entry.key]?.ordinal = position
      return nil
    }
    // A new row is the last, however early it was shown.
    guard former.written != nil || former.issue != nil else { return .remove([entry.key]) }
    return .put([.init(key: entry.key, item: entry.item, position: former.ordinal)])
  }

  /// Keeps the optimistic changes of rows that are the same in a replaced table.
  private mutating func replace(by table: ItemTable<Item>) -> [TableEdit<Item>] {
    var edits: [TableEdit<Item>] = []
    for (key, former) in layers {
      guard table.item(key) == former.written, table.issue(key)?.issue == former.issue else {
        layers[key] = nil
        continue
      }
      layers[key]?.ordinal = table.ordinal(key)
      edits.append(former.edit(key))
    }
    return edits
  }

  private mutating func markWritten(_ token: Token) -> [TableEdit<Item>] {
    var edits: [TableEdit<Item>] = []
    for key in keysOfChange.removeValue(forKey: token) ?? [] {
      guard var rest = layers[key] else { continue }
      for index in rest.changes.indices where rest.changes[index].token == token {
        rest.changes[index].isWritten = true
      }
      rest.fold()
      layers[key] = rest.changes.isEmpty ? nil : rest
      edits.append(rest.edit(key))
    }
    return edits
  }
}
