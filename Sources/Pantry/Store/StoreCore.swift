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

  let eventSubscribers = EventBroadcast<Item>()
  let valueSubscribers = Broadcast<[Item]>()
  /// Notifies of each change of the items.
  let gate = ObservationGate()
  /// Notifies when the excerpt is available, and when loading has ended.
  let loadGate = ObservationGate()
  let entityGates = EntityGates()

  let coder: ItemCoder<Item>
  var table = ItemTable<Item>()
  var provisional = ProvisionalItems<Item>()
  /// The number of changes to `table` and `provisional`.
  var revision = 0
  /// The position up to which the items follow the writes of others.
  private(set) lazy var follower = StorageFollower { [weak self] connection in
    Task { @MainActor in self?.show(connection) }
  } onChange: { [weak self] in
    Task { @MainActor in self?.catchUp() }
  }

  var loading = Loading.notStarted
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
  /// Whether items are encoded in the engine's turn: true as long as they have been small.
  var encodesInTurn = true
  var connection = StorageConnection.connected
  let connectionGate = ObservationGate()
  var isPerforming = false
  /// The minimum time for which an operation that loses to other writers is retried.
  ///
  /// Longer than a queue of operations of another store may take.
  var conflictPatience = Duration.seconds(120)

  /// Creates a core that begins to load the items of `storage`.
  ///
  /// - Parameter claim: its claim to the storage, or why it has none: then it never loads.
  private init(
    storage: any StorageEngine, _ definition: StoreDefinition<Item>, excerptLimit: Int,
    claim: Result<StoreClaim, StorageError>
  ) {
    self.storage = storage
    self.definition = definition
    rowGuard = definition.rowGuard
    self.claim = try? claim.get()  // the error is kept below
    self.excerptLimit = excerptLimit
    coder = ItemCoder(storage: storage, definition: definition)
    if case .failure(let error) = claim {
      loading = .refused(error)
      loadError = error
      return
    }
    storage.add(follower)
    startLoading()
  }

  /// Creates a core with `items` in memory and nothing to load.
  init(preview items: [Item], _ definition: StoreDefinition<Item>) {
    storage = MemoryStorageEngine(knowsPositions: false)
    self.definition = definition
    rowGuard = definition.rowGuard
    claim = nil
    excerptLimit = 0
    coder = ItemCoder(storage: storage, definition: definition)
    loading = .finished
    // Nobody else has the engine, and it has read nothing of it.
    follower.cursor = Set<CacheKey>()
    do {
      try Self.requireValue()
    } catch {
      loading = .refused(error)
      loadError = error
      return
    }
    for item in items { table.upsert(item, key: identifier(item)) }
  }

  /// The core that all stores of `Item` on `storage` share.
  static func shared(
    storage: any StorageEngine, _ definition: StoreDefinition<Item>, excerptLimit: Int
  ) -> StoreCore {
    let key = CoreKey(storage: ObjectIdentifier(storage), item: ObjectIdentifier(Item.self))
    let cores = ProcessContext.current.object { WeakTable<CoreKey>() }
    let known: StoreCore? = cores.object(key)
    let claim: Result<StoreClaim, StorageError>
    do throws(StorageError) {
      try requireValue()
      claim = .success(
        try StoreClaim.claim(storage, for: definition) { known?.table.items ?? [] })
      if let known { return known }
    } catch {
      claim = .failure(error)
    }
    let core = StoreCore(
      storage: storage, definition, excerptLimit: excerptLimit, claim: claim)
    if case .success = claim { cores.insert(core, key) }
    return core
  }

  private static func requireValue() throws(StorageError) {
    if Item.self is AnyObject.Type { throw .notAValue(type: TypeName(Item.self).shown) }
  }

  func identifier(_ item: Item) -> CacheKey { definition.identifier(item) }
}

/// Identifies a core in the process.
///
/// A core keeps its engine alive, and so the engine's identifier valid.
private struct CoreKey: Hashable, Sendable {
  let storage: ObjectIdentifier
  let item: ObjectIdentifier
}
