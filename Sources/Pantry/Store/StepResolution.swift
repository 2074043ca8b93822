/// Resolves steps that depend on what a store holds.
@MainActor
struct StepResolution<Item: StorableItem> {
  typealias Step = StoreCore<Item>.Step
  typealias Transform = ProvisionalItems<Item>.Transform

  /// What is to be written; none if nothing would be different.
  private(set) var steps: [ResolvedStep<Item>] = []
  /// The keys of the items that they depend on.
  private(set) var basis: Set<CacheKey> = []
  /// What is made of the items whose new content depends on the old one alone.
  private(set) var transforms: [CacheKey: [Transform]] = [:]

  private let core: StoreCore<Item>
  private let isOfShown: Bool
  /// What the steps so far have made of the items; nil for one that is gone.
  private var former: [CacheKey: Item?] = [:]
  private var isCleared = false

  /// Resolves `steps` by what `core` shows, or by what of that is on disk.
  init(_ steps: [Step], in core: StoreCore<Item>, isOfShown: Bool) throws {
    self.core = core
    self.isOfShown = isOfShown
    for step in steps { try add(step) }
  }

  private init(in core: StoreCore<Item>) {
    self.core = core
    isOfShown = false
  }

  /// Resolves `steps` by what is on disk, many rows in slices: the main actor goes on in between.
  ///
  /// Optimistic changes may be shown meanwhile; on disk, the turn of the operation lets nothing
  /// change.
  static func resolving(_ steps: [Step], in core: StoreCore<Item>) async throws -> StepResolution {
    var resolution = StepResolution(in: core)
    for step in steps {
      guard case .merge(let items, let keys, let policy) = step, items.count > sliceSize else {
        try resolution.add(step)
        continue
      }
      resolution.reserveCapacity(items.count)
      var changed: [Item] = []
      for start in stride(from: 0, to: items.count, by: sliceSize) {
        let slice = items[start..<min(start + sliceSize, items.count)]
        try changed += resolution.changed(slice, policy: policy)
        await Task.yield()
      }
      if !changed.isEmpty { resolution.steps.append(.add(changed)) }
      resolution.removeThose(keys)
    }
    return resolution
  }

  /// How many rows are merged at a time: about 1 ms.
  private static var sliceSize: Int { 256 }

  private mutating func reserveCapacity(_ count: Int) {
    basis.reserveCapacity(count)
    former.reserveCapacity(count)
    transforms.reserveCapacity(count)
  }

  private mutating func add(_ step: Step) throws {
    switch step {
    case .resolved(.add(let items)): put(items)
    case .resolved(.remove(let keys)): remove(keys)
    case .resolved(.removeAll):
      former = [:]
      transforms = [:]
      isCleared = true
      steps.append(.removeAll)
    case .merge(let items, let keys, let policy):
      let changed = try changed(items[...], policy: policy)
      if !changed.isEmpty { self.steps.append(.add(changed)) }
      removeThose(keys)
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

  /// What is to be written of rows that are merged.
  private mutating func changed(_ items: ArraySlice<Item>, policy: Step.Policy?) throws -> [Item] {
    var changed: [Item] = []
    for new in items {
      let old = item(core.identifier(new))
      guard let old, let policy else {
        if new != old {
          changed.append(new)
          note(new)
        }
        continue
      }
      let kept = policy(old, new)
      try requireSameIdentifier(kept, as: old)
      guard kept != old else { continue }
      changed.append(kept)
      note(kept, over: old) { old in old.map { policy($0, new) } ?? new }
    }
    return changed
  }

  /// Removes what is there under these keys.
  private mutating func removeThose(_ keys: [CacheKey]) {
    remove(keys.filter { item($0) != nil || former[$0] == nil && core.table.issue($0) != nil })
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
