extension StoreCore {
  /// One step of an operation, as the caller asks for it.
  enum Step {
    /// Does the same whatever the store holds.
    case resolved(ResolvedStep<Item>)
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

    static func add(_ items: [Item]) -> Step { .resolved(.add(items)) }
    static func remove(_ keys: [CacheKey]) -> Step { .resolved(.remove(keys)) }
    static var removeAll: Step { .resolved(.removeAll) }

    var isEmpty: Bool {
      switch self {
      case .resolved(.add(let items)): items.isEmpty
      case .resolved(.remove(let keys)): keys.isEmpty
      case .resolved(.removeAll), .update, .settle: false
      case .rewrite(let keys): keys.isEmpty
      case .merge(let items, let keys, _): items.isEmpty && keys.isEmpty
      }
    }

    /// The step itself if it is one that can be written as it is; nil if it depends on what the
    /// store holds.
    var resolved: ResolvedStep<Item>? {
      if case .resolved(let step) = self { step } else { nil }
    }
  }
}

/// A step that does the same whatever the store holds: what can be written.
enum ResolvedStep<Item: StorableItem>: Sendable {
  case add([Item])
  case remove([CacheKey])
  case removeAll
}
