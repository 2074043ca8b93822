extension StoreCore {
  /// One step of an operation.
  enum Step {
    case add([Item])
    case remove([CacheKey])
    case removeAll
    /// Adds what is different, as the policy decides from what is there and what comes.
    case merge([Item], removing: [CacheKey], policy: Policy?)
    /// Changes an item if it is there.
    case update(CacheKey, Change)
    /// Writes items that are there as they are.
    case rewrite([CacheKey])
    /// Writes what a change has shown, as far as nothing has been written in its place.
    case settle(ProvisionalItems<Item>.Token)

    typealias Policy = @MainActor (_ old: Item, _ new: Item) -> Item
    typealias Change = @MainActor (_ item: inout Item) throws -> Void

    var isEmpty: Bool {
      switch self {
      case .add(let items): items.isEmpty
      case .remove(let keys): keys.isEmpty
      case .removeAll, .update, .settle: false
      case .rewrite(let keys): keys.isEmpty
      case .merge(let items, let keys, _): items.isEmpty && keys.isEmpty
      }
    }

    /// Whether what it does depends on what the store holds.
    var isWorkedOut: Bool {
      switch self {
      case .add, .remove, .removeAll: false
      case .merge, .update, .settle, .rewrite: true
      }
    }
  }
}

/// Works out what steps that depend on what a store holds come to.
@MainActor
struct StepResolution<Item: StorableItem> {
  typealias Step = StoreCore<Item>.Step
  typealias Transform = ProvisionalItems<Item>.Transform

  /// Plain steps; none if nothing would be different.
  private(set) var steps: [Step] = []
  /// The keys of the items that they were worked out from.
  private(set) var basis: Set<CacheKey> = []
  /// What is made of the items whose new content depends on the old one alone.
  private(set) var transforms: [CacheKey: [Transform]] = [:]

  private let core: StoreCore<Item>
  private let isOfShown: Bool
  /// What the steps so far have made of the items; nil for one that is gone.
  private var former: [CacheKey: Item?] = [:]
  private var isCleared = false

  /// Works `steps` out from what `core` shows, or from what of that is on disk.
  init(_ steps: [Step], in core: StoreCore<Item>, isOfShown: Bool) throws {
    self.core = core
    self.isOfShown = isOfShown
    for step in steps { try add(step) }
  }

  private mutating func add(_ step: Step) throws {
    switch step {
    case .add(let items): put(items)
    case .remove(let keys): remove(keys)
    case .removeAll:
      former = [:]
      transforms = [:]
      isCleared = true
      steps.append(step)
    case .merge(let items, let keys, let policy):
      try merge(items, policy: policy)
      remove(keys.filter { item($0) != nil || former[$0] == nil && core.table.issue($0) != nil })
    case .update(let key, let change):
      guard let old = item(key) else { return }
      var new = old
      try change(&new)
      try requireSameIdentifier(new, as: old)
      if new != old { put(new, over: old) { Self.changed($0, by: change) } }
    case .rewrite(let keys): put(keys.compactMap { item($0) })
    case .settle(let token):
      let rest = core.provisional.unwritten(of: token)
      basis.formUnion(rest.keys)
      remove(rest.removed)
      put(rest.items)
    }
  }

  /// Throws if an item would be written beside the one that it was made of.
  private func requireSameIdentifier(_ new: Item, as old: Item) throws(StorageError) {
    let (newKey, oldKey) = (core.identifier(new), core.identifier(old))
    guard newKey != oldKey else { return }
    throw .identifierChanged(
      type: TypeName(Item.self).shown, from: oldKey.rawValue, to: newKey.rawValue)
  }

  /// What an update makes of an item; one that throws leaves it.
  private static func changed(_ item: Item?, by change: Step.Change) -> Item? {
    guard let item else { return nil }
    var new = item
    do { try change(&new) } catch { return item }
    return new
  }

  private mutating func merge(_ items: [Item], policy: Step.Policy?) throws {
    var plain: [Item] = []
    for new in items {
      let old = item(core.identifier(new))
      guard let old, let policy else {
        if new != old {
          plain.append(new)
          note(new)
        }
        continue
      }
      let kept = policy(old, new)
      try requireSameIdentifier(kept, as: old)
      guard kept != old else { continue }
      plain.append(kept)
      note(kept, over: old) { old in old.map { policy($0, new) } ?? new }
    }
    if !plain.isEmpty { steps.append(.add(plain)) }
  }

  private mutating func put(_ items: [Item]) {
    guard !items.isEmpty else { return }
    for item in items { note(item) }
    steps.append(.add(items))
  }

  private mutating func put(_ new: Item, over old: Item, by transform: @escaping Transform) {
    note(new, over: old, by: transform)
    steps.append(.add([new]))
  }

  private mutating func remove(_ keys: [CacheKey]) {
    guard !keys.isEmpty else { return }
    for key in keys {
      former[key] = .some(nil)
      transforms[key] = nil
    }
    steps.append(.remove(keys))
  }

  /// Notes an item that does not depend on another.
  private mutating func note(_ item: Item) {
    former[core.identifier(item)] = item
    transforms[core.identifier(item)] = nil
  }

  private mutating func note(_ new: Item, over old: Item, by transform: @escaping Transform) {
    let key = core.identifier(new)
    // Over one that a step before has put there, the result is what it is.
    if former[key] == nil || transforms[key] != nil {
      transforms[key, default: []].append(transform)
    }
    former[key] = new
  }

  /// The item as the steps so far leave it; from now on they depend on it.
  private mutating func item(_ key: CacheKey) -> Item? {
    basis.insert(key)
    if let known = former[key] { return known }
    if isCleared { return nil }
    if !isOfShown, let written = core.provisional.written(key) { return written }
    return core.table.item(key)
  }
}
