extension StoreCore {
  /// One step of an operation.
  enum Step {
    case add([Item])
    case remove([String])
    case removeAll
    /// Adds what is different, as the policy decides from what is there and what comes.
    case merge([Item], removing: [String], policy: Policy?)
    /// Changes an item if it is there.
    case update(String, Change)

    typealias Policy = @MainActor (_ old: Item, _ new: Item) -> Item
    typealias Change = @MainActor (_ item: inout Item) throws -> Void

    var isEmpty: Bool {
      switch self {
      case .add(let items): items.isEmpty
      case .remove(let keys): keys.isEmpty
      case .removeAll, .update: false
      case .merge(let items, let keys, _): items.isEmpty && keys.isEmpty
      }
    }

    /// Whether what it does depends on what the store holds.
    var isWorkedOut: Bool {
      switch self {
      case .add, .remove, .removeAll: false
      case .merge, .update: true
      }
    }
  }
}

/// Works out what steps that depend on what a store holds come to.
@MainActor
struct StepResolution<Item: StorableItem> {
  typealias Step = StoreCore<Item>.Step

  /// Plain steps; none if nothing would be different.
  private(set) var steps: [Step] = []
  /// The keys of the items that they were worked out from.
  private(set) var basis: Set<String> = []

  private let table: ItemTable<Item>
  private let identifier: @Sendable (Item) -> String
  /// What the steps so far have made of the items; nil for one that is gone.
  private var former: [String: Item?] = [:]
  private var isCleared = false

  init(table: ItemTable<Item>, identifier: @escaping @Sendable (Item) -> String) {
    self.table = table
    self.identifier = identifier
  }

  mutating func add(_ step: Step) throws {
    switch step {
    case .add(let items):
      for item in items { former[identifier(item)] = item }
      steps.append(step)
    case .remove(let keys):
      for key in keys { former[key] = .some(nil) }
      steps.append(step)
    case .removeAll:
      former = [:]
      isCleared = true
      steps.append(step)
    case .merge(let items, let keys, let policy):
      merge(items, removing: keys, policy: policy)
    case .update(let key, let change):
      guard let old = item(key) else { return }
      var new = old
      try change(&new)
      put([new].filter { $0 != old })
    }
  }

  private mutating func merge(_ items: [Item], removing keys: [String], policy: Step.Policy?) {
    var different: [Item] = []
    for new in items {
      let key = identifier(new)
      let old = item(key)
      let kept = old.flatMap { old in policy.map { $0(old, new) } } ?? new
      guard kept != old else { continue }
      different.append(kept)
      former[key] = kept
    }
    put(different)
    let gone = keys.filter { key in
      let isThere = item(key) != nil || former[key] == nil && table.holds(key)
      if isThere { former[key] = .some(nil) }
      return isThere
    }
    if !gone.isEmpty { steps.append(.remove(gone)) }
  }

  private mutating func put(_ items: [Item]) {
    guard !items.isEmpty else { return }
    for item in items { former[identifier(item)] = item }
    steps.append(.add(items))
  }

  /// The item as the steps so far leave it; from now on they depend on it.
  private mutating func item(_ key: String) -> Item? {
    basis.insert(key)
    if let known = former[key] { return known }
    return isCleared ? nil : table.item(key)
  }
}
