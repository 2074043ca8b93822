/// The items of one engine in memory, the loading of them, and the operations that wait for it.
///
/// Every ``Store`` of one item type on one engine is a view of the same core, so that all of them
/// see the same truth at once and their operations have one order. What others write to a
/// ``LiveStorage`` is one more operation in that order.
@MainActor
final class StoreCore<Item: StorableItem> {
  let storage: any StorageEngine
  let definition: StoreDefinition<Item>
  private let claim: StoreClaim?

  let eventSubscribers = Broadcast<StoreEvent<Item>>()
  let valueSubscribers = Broadcast<[Item]>()
  /// Told of each change of the items.
  let gate = ObservationGate()
  /// Told when there is an excerpt, and when the loading has ended.
  let loadGate = ObservationGate()
  let entityGates = EntityGates()

  let coder: ItemCoder<Item>
  var table = ItemTable<Item>()
  var provisional = ProvisionalItems<Item>()
  /// How often something has been changed in these two.
  var revision = 0
  /// How far the items follow what others write; nil if nobody else can.
  var follower: StorageFollower?

  var loading = Loading.notStarted
  /// How many items the excerpt has at most; with 0 there is none.
  let excerptLimit: Int
  /// The newest items, as long as all are being loaded.
  var excerpt: StoreExcerpt<Item>?
  /// Why the items could not be loaded.
  var loadError: (any Error)?
  var pending: [Pending] = []
  /// Whether others may have written something that has not been read.
  var isBehind = false
  /// Whether it is not known what became of a commit: what is true is read before the next one.
  var isUncertain = false
  /// Whether an item is encoded in the engine's turn: they have been small so far.
  var encodesInTurn = true
  /// Whether the engine reaches its storage.
  var connection = StorageConnection.connected
  let connectionGate = ObservationGate()
  var isPerforming = false
  /// How long an operation is tried, at least, that other writers come before.
  ///
  /// Longer than the operations of another store that are queued one behind the other may take.
  var conflictPatience = Duration.seconds(120)

  /// Creates a core that begins to load what `storage` holds.
  ///
  /// - Parameter claim: its right to do so, or why it has none: then it never loads.
  private init(
    storage: any StorageEngine, _ definition: StoreDefinition<Item>, excerptLimit: Int,
    claim: Result<StoreClaim, StorageError>
  ) {
    self.storage = storage
    self.definition = definition
    self.claim = try? claim.get()  // the error is kept below
    self.excerptLimit = excerptLimit
    coder = ItemCoder(storage: storage, definition: definition)
    if case .failure(let error) = claim {
      loading = .refused(error)
      loadError = error
      return
    }
    follow()
    startLoading()
  }

  /// Creates a core that holds `items` in memory and has nothing to load.
  init(preview items: [Item], _ definition: StoreDefinition<Item>) {
    storage = MemoryStorageEngine()
    self.definition = definition
    claim = nil
    excerptLimit = 0
    coder = ItemCoder(storage: storage, definition: definition)
    loading = .finished
    for item in items { table.upsert(item, key: identifier(item)) }
  }

  /// The core that all stores of `Item` on `storage` share.
  static func shared(
    storage: any StorageEngine, _ definition: StoreDefinition<Item>, excerptLimit: Int
  ) -> StoreCore {
    let key = CoreKey(storage: ObjectIdentifier(storage), item: ObjectIdentifier(Item.self))
    let known: StoreCore? = CoreKey.cores.object(key)
    let claim: Result<StoreClaim, StorageError>
    do throws(StorageError) {
      claim = .success(
        try StoreClaim.claim(storage, for: definition) { known?.table.items ?? [] })
      if let known { return known }
    } catch {
      claim = .failure(error)
    }
    let core = StoreCore(
      storage: storage, definition, excerptLimit: excerptLimit, claim: claim)
    if case .success = claim { CoreKey.cores.insert(core, key) }
    return core
  }

  /// What tells `item` from others.
  func identifier(_ item: Item) -> CacheKey { definition.identifier(item) }
}

/// Tells the cores of a process apart: a core keeps its engine alive, and so its identifier.
private struct CoreKey: Hashable, Sendable {
  static let cores = WeakTable<CoreKey>()

  let storage: ObjectIdentifier
  let item: ObjectIdentifier
}
