/// One step of an operation, as requested by the caller.
enum StoreStep<Item: StorableItem> {
  /// Does not depend on the store's content.
  case resolved(ResolvedStep<Item>)
  /// Adds the rows that are different, combined with the existing items by the policy.
  case merge([Item], removing: [CacheKey], policy: Policy?)
  /// Changes an item; if there is none, adds the one given, as it is.
  case update(CacheKey, orAdd: Item? = nil, Change)
  /// Writes existing items again, unchanged.
  case rewrite([CacheKey])
  /// Removes the rows of these issues, as far as they are still the same.
  case removeIssues([LoadIssue])
  /// Writes an optimistic change, except for rows that were written meanwhile.
  ///
  /// The steps that made it name other rows, which may be absent; some may have read what they
  /// change.
  case confirm(ProvisionalItems<Item>.Token, named: [CacheKey], readsRows: Bool)

  typealias Policy = @MainActor (_ old: Item, _ new: Item) -> Item
  typealias Change = @MainActor (_ item: inout Item) throws -> Void

  static func add(_ items: [Item]) -> StoreStep { .resolved(.add(items)) }
  static func remove(_ keys: [CacheKey]) -> StoreStep { .resolved(.remove(keys)) }
  static var removeAll: StoreStep { .resolved(.removeAll) }

  var isEmpty: Bool {
    switch self {
    case .resolved(.add(let items)), .resolved(.replace(let items, _)): items.isEmpty
    case .resolved(.remove(let keys)): keys.isEmpty
    case .resolved(.removeAll), .update, .confirm: false
    case .rewrite(let keys): keys.isEmpty
    case .removeIssues(let issues): issues.isEmpty
    case .merge(let items, let keys, _): items.isEmpty && keys.isEmpty
    }
  }

  /// The keys of the rows that it changes or removes, if they exist.
  var named: [CacheKey] {
    switch self {
    case .update(let key, _, _): [key]
    case .resolved(.remove(let keys)), .merge(_, removing: let keys, _): keys
    default: []
    }
  }

  /// Whether it can be resolved on top of operations that have not been committed: it depends on
  /// the content of items alone.
  var isShared: Bool {
    switch self {
    case .resolved, .merge, .update: true
    case .rewrite, .removeIssues, .confirm: false
    }
  }

  /// The resolved step; nil if it depends on the store's content.
  var resolved: ResolvedStep<Item>? {
    if case .resolved(let step) = self { step } else { nil }
  }
}

/// A step that does not depend on the store's content, ready to be written.
enum ResolvedStep<Item: StorableItem>: Sendable {
  case add([Item])
  /// Adds those of the items whose bytes differ from the former items'; nil stands for no item.
  case replace([Item], over: [Item?])
  case remove([CacheKey])
  case removeAll
}
