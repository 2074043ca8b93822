/// The items of one engine in memory, their loading, and the queue of operations.
///
/// Every ``Store`` of one item type on one engine is a view of the same core, so all of them change
/// at the same moment and their operations have one order. Writes of others to the storage are one
/// more operation in that order.
@MainActor
final class StoreCore<Item: StorableItem> {
  let storage: any StorageEngine
  let definition: StoreDefinition<Item>
  /// The rows that operations may overwrite and remove.
  let rowGuard: RowGuard
  private let claim: StoreClaim?

  let coder: ItemCoder<Item>
  let visible: VisibleItems<Item>
  /// The position up to which the items follow the writes of others.
  private(set) lazy var follower = StorageFollower { [weak self] connection in
    Task { @MainActor in self?.show(connection) }
  } onChange: { [weak self] in
    Task { @MainActor in self?.catchUp() }
  }

  var loading = Loading.notStarted
  /// Notifies when the excerpt is available, and when loading has ended.
  let loadGate = ObservationGate()
  /// Whether the load under way has begun to read.
  var isReading = false
  /// The maximum number of items in the excerpt; 0 for none.
  let excerptLimit: Int
  /// Whether the items after the excerpt are loaded on one core, which leaves others to drawing.
  var leavesCoresFree = true
  /// The newest items, while all are being loaded.
  var excerpt: StoreExcerpt<Item>?
  var loadError: (any Error)?
  var queue = StoreQueue<Item>()
  let retry = ReadRetry()
  /// Whether the outcome of a commit is unknown: the storage is read again before the next one.
  var isUncertain = false
  var connection = StorageConnection.connected
  let connectionGate = ObservationGate()
  var isPerforming = false
  /// The minimum time for which an operation that loses to other writers is retried.
  ///
  /// Longer than a queue of operations of another store may take.
  var conflictPatience = Duration.seconds(120)

  /// - Parameter claim: its claim to the storage, or why it has none: then it never loads. Nil if
  ///   there is nothing to load.
  private init(
    storage: any StorageEngine, _ definition: StoreDefinition<Item>, excerptLimit: Int,
    claim: Result<StoreClaim?, StorageError>
  ) {
    self.storage = storage
    self.definition = definition
    rowGuard = definition.rowGuard
    self.claim = try? claim.get()  // the error is kept below
    self.excerptLimit = excerptLimit
    coder = ItemCoder(storage: storage, definition: definition)
    visible = VisibleItems(coder)
    switch claim {
    case .failure(let error): (loading, loadError) = (.refused(error), error)
    case .success(nil): break
    case .success:
      storage.add(follower)
      startLoading()
    }
  }

  /// Creates a core with `items` in memory and nothing to load.
  convenience init(preview items: [Item], _ definition: StoreDefinition<Item>) {
    self.init(
      storage: MemoryStorageEngine(knowsPositions: false), definition, excerptLimit: 0,
      claim: Self.claim { () throws(StorageError) in nil })
    guard case .notStarted = loading else { return }
    loading = .finished
    // Nobody else has the engine, and it has read nothing of it.
    follower.cursor = Set<CacheKey>()
    for item in items { visible.table.upsert(item, key: definition.identifier(item)) }
  }

  /// The core that all stores of `Item` on `storage` share.
  static func shared(
    storage: any StorageEngine, _ definition: StoreDefinition<Item>, excerptLimit: Int
  ) -> StoreCore {
    let key = CoreKey(storage: ObjectIdentifier(storage), item: ObjectIdentifier(Item.self))
    let cores = ProcessContext.current.object { WeakTable<CoreKey>() }
    let known: StoreCore? = cores.object(key)
    let claim = claim { () throws(StorageError) in
      try .claim(storage, for: definition) { known?.visible.table.items ?? [] }
    }
    if let known, case .success = claim { return known }
    let core = StoreCore(
      storage: storage, definition, excerptLimit: excerptLimit, claim: claim)
    if case .success = claim { cores.insert(core, key) }
    return core
  }

  /// Returns what `claim` does, unless the items are of a class, which no store takes.
  private static func claim(
    _ claim: () throws(StorageError) -> StoreClaim?
  ) -> Result<StoreClaim?, StorageError> {
    Item.self is AnyObject.Type
      ? .failure(.notAValue(type: TypeName(Item.self).shown)) : Result(catching: claim)
  }
}

/// Identifies a core in the process.
///
/// A core keeps its engine alive, and so the engine's identifier valid.
private struct CoreKey: Hashable, Sendable {
  let storage: ObjectIdentifier
  let item: ObjectIdentifier
}
