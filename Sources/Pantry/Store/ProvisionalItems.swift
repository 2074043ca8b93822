/// What a table shows that is not on disk yet: the changes whose `commit` is under way.
///
/// Of each item it knows what the disk had, and the changes since in their order, each as what it
/// makes of an item. So one that fails is taken out from between the others, and one that succeeds
/// is written without those that have not.
@MainActor
struct ProvisionalItems<Item: StorableItem> {
  /// Tells the changes apart; later ones are larger.
  typealias Token = Int

  /// What a change makes of an item; nil is one that is not there.
  typealias Transform = @MainActor (_ item: Item?) -> Item?

  private struct Change {
    let token: Token
    let transform: Transform
    /// Whether it takes the item out first, which puts it at the end.
    let reinserts: Bool
    var isWritten = false
  }

  /// One item: what the disk had before the first of the changes.
  @MainActor
  private struct Layers {
    var base: Item?
    /// Where the row is on disk.
    var ordinal: Int?
    /// The row is there, but no item.
    var issue: LoadIssue?
    var changes: [Change] = []

    /// What the changes that are so make of the item.
    func item(after isSo: (Change) -> Bool) -> Item? {
      changes.reduce(base) { item, change in isSo(change) ? change.transform(item) : item }
    }

    /// What the disk has.
    var written: Item? { item(after: \.isWritten) }

    /// Shows all of them.
    func edit(_ key: CacheKey) -> TableEdit<Item> {
      if let item = item(after: { _ in true }) {
        let isMoved = changes.contains { $0.reinserts && !$0.isWritten }
        return .put([.init(key: key, item: item, position: isMoved ? nil : ordinal)])
      }
      if let issue, let ordinal, changes.isEmpty { return .note([(issue, ordinal)]) }
      return .remove([key])
    }

    /// Forgets the oldest changes as far as they are on disk.
    mutating func fold() {
      while let first = changes.first, first.isWritten {
        base = first.transform(base)
        changes.removeFirst()
        issue = nil
      }
    }
  }

  private var layers: [CacheKey: Layers] = [:]
  /// The items of each change, in the order in which it names them.
  private var keysOfChange: [Token: [CacheKey]] = [:]
  private var lastToken = 0

  /// Begins a change.
  mutating func begin() -> Token {
    lastToken += 1
    keysOfChange[lastToken] = []
    return lastToken
  }

  /// The keys of all that is shown otherwise than the disk has it.
  var keys: [CacheKey] { Array(layers.keys) }

  /// What the disk has of an item that is shown otherwise; nil if it is not.
  func written(_ key: CacheKey) -> Item?? { layers[key].map(\.written) }

  /// Notes what a change is about to make of an item; a second time, after the first.
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

  /// Notes a change that has been written already, for the items that are shown otherwise.
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

  /// What is to be written of a change, as far as nothing has been written in its place: keys to
  /// remove, and then items to add.
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

  /// Takes a change out; returns what shows the items as they are without it.
  mutating func takeBack(_ token: Token) -> [TableEdit<Item>] {
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

  /// Takes note of what the disk has written.
  ///
  /// - Parameter token: the change that has been written now. Of an item that is not its own, and
  ///   with nil of all, what was only shown is over.
  /// - Returns: what shows the changes that are still on top; `before` the edits and `after` them.
  mutating func settle(
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

  /// Takes note of where the disk has what is written now; returns what takes it there from where
  /// it is shown.
  private mutating func place(_ entry: TableEdit<Item>.Entry) -> TableEdit<Item>? {
    guard let former = layers[entry.key] else { return nil }
    if let position = entry.position {
      layers[entry.key]?.ordinal = position
      return nil
    }
    // A new row is the last, whenever it was shown first.
    guard former.written != nil || former.issue != nil else { return .remove([entry.key]) }
    return .put([.init(key: entry.key, item: entry.item, position: former.ordinal)])
  }

  /// Goes on showing the changes of the rows that are in another table as they were.
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
