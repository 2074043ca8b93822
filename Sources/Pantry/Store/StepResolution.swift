/// Resolves steps that depend on the store's content.
@MainActor
struct StepResolution<Item: StorableItem> {
  typealias Step = StoreStep<Item>
  typealias Transform = ProvisionalItems<Item>.Transform

  /// The resolved steps; empty if they would change nothing.
  private(set) var steps: [ResolvedStep<Item>] = []
  /// The keys of the items that the steps depend on.
  private var keys: Set<CacheKey> = []
  /// The rows that the steps depend on: all, if they remove all that can be read.
  var basis: ReadSet { isCleared ? .everything : keys.isEmpty ? .nothing : .keys(keys) }
  /// The item as the last update leaves it; nil if that found none.
  private(set) var updated: Item?
  /// The transforms of the items whose new content depends on their old content alone.
  private(set) var transforms: [CacheKey: [Transform]] = [:]
  /// The keys of the issues that the caller asked to remove.
  private(set) var discarded: Set<CacheKey> = []

  private let visible: VisibleItems<Item>
  /// Whether the items are as observers see them, rather than as they are on disk.
  private let includesOptimistic: Bool
  /// Whether the caller may have read that an item is absent, and adds it for that reason.
  private let isTransaction: Bool
  /// The result of earlier operations that have not been committed.
  private let earlier: Overlay?
  /// The items as the steps so far leave them; nil for a removed item.
  private var former: [CacheKey: Item?] = [:]
  private var isCleared = false

  /// The items as uncommitted operations leave them.
  ///
  /// A class, since each operation of a batch refers to it while it grows.
  @MainActor
  final class Overlay {
    /// The changed items; nil for a removed one.
    private(set) var items: [CacheKey: Item?] = [:]
    /// Whether all others are removed.
    private(set) var isCleared = false

    func add(_ later: StepResolution) {
      if later.isCleared {
        isCleared = true
        items = later.former
      } else {
        items.merge(later.former) { $1 }
      }
    }
  }

  /// Resolves `steps` on the items on disk, in slices that let the main actor run in between.
  ///
  /// Optimistic changes may come meanwhile; the disk does not change during the operation's turn.
  ///
  /// - Parameter earlier: what operations before it leave that will be committed with it; nil if
  ///   nothing is resolved on top of others.
  static func resolving(
    _ steps: [Step], in visible: VisibleItems<Item>, after earlier: Overlay? = nil,
    isTransaction: Bool = false, includesOptimistic: Bool = false
  ) async throws -> StepResolution {
    var resolution = StepResolution(
      visible: visible, includesOptimistic: includesOptimistic, isTransaction: isTransaction,
      earlier: earlier)
    if earlier == nil, resolution.resolve(steps) { return resolution }
    for step in steps {
      if case .confirm(let token, let named, let readsRows) = step,
        visible.provisional.keys(of: token).count > sliceSize
      {
        try resolution.requireReadable(token, named, readsRows)
        await resolution.addInSlices(confirmationOf: token)
        continue
      }
      guard case .merge(let items, let keys, let policy) = step, items.count > sliceSize else {
        try resolution.add(step)
        continue
      }
      resolution.reserveCapacity(items.count)
      var merged = Merged()
      for start in stride(from: 0, to: items.count, by: sliceSize) {
        let slice = items[start..<min(start + sliceSize, items.count)]
        try resolution.merge(slice, policy: policy, into: &merged)
        await Task.yield()
      }
      resolution.steps.append(.replace(merged.items, over: merged.former))
      resolution.removeExisting(keys)
    }
    return resolution
  }

  /// Takes the steps as they are if none depends on the store's content; otherwise returns false.
  ///
  /// Removing all does while there are rows that it must not remove, and so does the addition of a
  /// transaction.
  private mutating func resolve(_ steps: [Step]) -> Bool {
    let steps = steps.filter { !$0.isEmpty }
    let resolved = steps.compactMap { $0.resolved }
    let isCleared = resolved.contains { if case .removeAll = $0 { true } else { false } }
    guard resolved.count == steps.count,
      visible.table.issues.isEmpty || !isCleared && !isTransaction
    else { return false }
    self.steps = resolved
    self.isCleared = isCleared
    return true
  }

  /// The number of rows merged at a time: about 1 ms.
  private static var sliceSize: Int { MainActor.sliceSize }

  private mutating func reserveCapacity(_ count: Int) {
    keys.reserveCapacity(count)
    former.reserveCapacity(count)
    transforms.reserveCapacity(count)
  }

  private mutating func add(_ step: Step) throws {
    switch step {
    case .resolved(.add(let items)), .resolved(.replace(let items, _)):
      if isTransaction { for item in items { _ = try readable(visible.identifier(item)) } }
      put(items)
    case .resolved(.remove(let keys)): remove(keys)
    case .resolved(.removeAll):
      // A row that cannot be read stays: it may be another type's, or recovered.
      let readable = Set(visible.table.keys).union(visible.provisional.keys).union(former.keys)
        .union(earlier.map { Set($0.items.keys) } ?? [])
      let isWhole = visible.table.issues.isEmpty
      former = [:]
      transforms = [:]
      isCleared = true
      steps.append(isWhole ? .removeAll : .remove(Array(readable)))
    case .merge(let items, let keys, let policy):
      var merged = Merged()
      try merge(items[...], policy: policy, into: &merged)
      if !items.isEmpty { steps.append(.replace(merged.items, over: merged.former)) }
      removeExisting(keys)
    case .update(let key, let added, let change):
      let old = try readable(key)
      updated = old ?? added
      guard var new = updated else { return }
      if let old {
        try change(&new)
        note(new, over: old) { Self.changed($0, by: change) }
        updated = new
      } else {
        note(new)
      }
      try requireIdentifier(key, of: new)
      steps.append(.replace([new], over: [old]))
    case .rewrite(let keys): put(keys.compactMap { item($0) })
    case .removeIssues(let issues):
      let keys = issues.filter { visible.table.issue($0.key)?.issue == $0 }.map(\.key)
      self.keys.formUnion(keys)
      discarded.formUnion(keys)
      remove(keys)
    case .confirm(let token, let named, let readsRows):
      try requireReadable(token, named, readsRows)
      let rest = visible.provisional.unwritten(of: token)
      keys.formUnion(rest.keys)
      remove(rest.removed)
      let former = rest.items.map { item(visible.identifier($0)) }
      for item in rest.items { note(item) }
      if !rest.items.isEmpty { steps.append(.replace(rest.items, over: former)) }
    }
  }

  /// Resolves a large optimistic change in slices.
  ///
  /// What is written of it is the same for all of them: that changes in turns of operations only,
  /// of which this is one.
  private mutating func addInSlices(confirmationOf token: ProvisionalItems<Item>.Token) async {
    var rest = ProvisionalItems<Item>.Unwritten()
    await MainActor.inSlices(visible.provisional.keys(of: token)) {
      visible.provisional.add($0, of: token, to: &rest)
    }
    keys.formUnion(rest.keys)
    await MainActor.inSlices(rest.removed) { forget($0) }
    if !rest.removed.isEmpty { steps.append(.remove(rest.removed)) }
    var former: [Item?] = []
    await MainActor.inSlices(rest.items) { item in
      former.append(self.item(visible.identifier(item)))
      note(item)
    }
    if !rest.items.isEmpty { steps.append(.replace(rest.items, over: former)) }
  }

  /// Throws if others have meanwhile written a row that an optimistic change must not overwrite, or
  /// that it has to read.
  private mutating func requireReadable(
    _ token: ProvisionalItems<Item>.Token, _ named: [CacheKey], _ readsRows: Bool
  ) throws(StorageError) {
    keys.formUnion(named)
    guard !visible.table.issues.isEmpty else { return }
    for key in visible.provisional.keys(of: token) + named {
      if let issue = visible.table.issue(key)?.issue, readsRows || issue.newerVersion != nil {
        throw visible.refusal(issue)
      }
    }
  }

  /// Throws if a change would give an item another identifier.
  private func requireIdentifier(_ key: CacheKey, of new: Item) throws(StorageError) {
    let newKey = visible.identifier(new)
    guard newKey != key else { return }
    throw .identifierChanged(
      type: TypeName(Item.self).shown, from: key.rawValue, to: newKey.rawValue)
  }

  /// Applies an update to an item; unchanged if the update throws.
  private static func changed(_ item: Item?, by change: Step.Change) -> Item? {
    guard let item else { return nil }
    var new = item
    do { try change(&new) } catch { return item }
    return new
  }

  /// Merged items, and those that they replace.
  ///
  /// Which of them differ is known when they have been encoded, which is not done here.
  private struct Merged {
    var items: [Item] = []
    var former: [Item?] = []
  }

  /// Merges rows with the items that have their keys.
  private mutating func merge(
    _ items: ArraySlice<Item>, policy: Step.Policy?, into merged: inout Merged
  ) throws {
    for new in items {
      let key = visible.identifier(new)
      let old = try readable(key)
      merged.former.append(old)
      guard let old, let policy else {
        merged.items.append(new)
        note(new)
        continue
      }
      let kept = policy(old, new)
      try requireIdentifier(key, of: kept)
      merged.items.append(kept)
      note(kept, over: old) { old in old.map { policy($0, new) } ?? new }
    }
  }

  /// Removes the existing items and issues with these keys.
  private mutating func removeExisting(_ keys: [CacheKey]) {
    remove(
      keys.filter { key in
        item(key) != nil
          || former[key] == nil && earlier?.items[key] == nil && visible.table.issue(key) != nil
      })
  }

  private mutating func put(_ items: [Item]) {
    guard !items.isEmpty else { return }
    for item in items { note(item) }
    steps.append(.add(items))
  }

  private mutating func remove(_ keys: [CacheKey]) {
    guard !keys.isEmpty else { return }
    for key in keys { forget(key) }
    steps.append(.remove(keys))
  }

  private mutating func forget(_ key: CacheKey) {
    former[key] = .some(nil)
    transforms[key] = nil
  }

  /// Records an item that does not depend on its old content.
  private mutating func note(_ item: Item) {
    former[visible.identifier(item)] = item
    transforms[visible.identifier(item)] = nil
  }

  private mutating func note(_ new: Item, over old: Item, by transform: @escaping Transform) {
    let key = visible.identifier(new)
    // On top of an item that an earlier step has put there, the result is fixed.
    if former[key] == nil || transforms[key] != nil {
      transforms[key, default: []].append(transform)
    }
    former[key] = new
  }

  /// Returns the item as the steps so far leave it, and adds it to their basis.
  private mutating func item(_ key: CacheKey) -> Item? {
    keys.insert(key)
    if let known = former[key] { return known }
    if isCleared { return nil }
    if let known = earlier?.items[key] { return known }
    if earlier?.isCleared == true { return nil }
    if !includesOptimistic, let written = visible.provisional.written(key) { return written }
    return visible.table.item(key)
  }

  /// Returns the item like ``item(_:)``; throws if its row exists and cannot be read.
  private mutating func readable(_ key: CacheKey) throws(StorageError) -> Item? {
    if let item = item(key) { return item }
    // Removed by an earlier step.
    guard former[key] == nil, earlier?.items[key] == nil, let issue = visible.storedIssue(key)
    else { return nil }
    throw visible.refusal(issue)
  }
}

extension StepResolution {
  /// Resolves `steps` on the items as observers see them, in this turn of the main actor.
  init(_ steps: [Step], in visible: VisibleItems<Item>) throws {
    self.init(visible: visible, includesOptimistic: true, isTransaction: false, earlier: nil)
    if !resolve(steps) {
      for step in steps { try add(step) }
    }
  }
}
