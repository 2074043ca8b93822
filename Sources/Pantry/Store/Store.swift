/// What a ``Store`` can hold.
public typealias StorableItem = Codable & Equatable & Sendable

/// A persisted array: save an item and it is on disk, in memory, and in every view that shows it.
///
/// `items` is in insertion order, also after a relaunch; writing an item with a known identifier
/// replaces it in its place. Every operation reaches the disk first and memory after that, so when
/// one throws, both are as they were. Operations apply in the order in which they were called; one
/// that has been called is finished even if the task that called it is cancelled. Those called
/// while the store loads wait until it has loaded.
///
/// The store lives on the main actor. JSON, hashing and disk never run there.
@MainActor
public final class Store<Item: StorableItem> {
  let storage: any StorageEngine
  let identifier: @Sendable (Item) -> String

  let eventSubscribers = Broadcast<StoreEvent<Item>>()
  let valueSubscribers = Broadcast<[Item]>()

  private let coder: ItemCoder<Item>
  private let peers: StorePeers
  private let gate = ObservationGate()
  private(set) var table = ItemTable<Item>()
  private var loading = Loading.notStarted
  private var pending: [PendingOperation] = []
  private var isPerforming = false
  /// Whether another store on the engine did something while this one loaded.
  private var hasMissedOperations = false

  /// Creates a store that loads what `storage` holds in the background.
  ///
  /// In an async context Swift picks the asynchronous initialiser instead.
  ///
  /// - Parameters:
  ///   - storage: where the items are kept; by default ``SQLiteStorageEngine`` in the default
  ///     directory, with a namespace named after `Item`.
  ///   - cacheIdentifier: what tells one item from another; it must not change with its content.
  public convenience init(
    storage: any StorageEngine = SQLiteStorageEngine.default(for: Item.self),
    cacheIdentifier: any KeyPath<Item, String> & Sendable
  ) {
    self.init(storage: storage, identity: cacheIdentifier) { $0[keyPath: cacheIdentifier] }
  }

  /// Creates a store and returns when it has loaded what `storage` holds.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  public convenience init(
    storage: any StorageEngine = SQLiteStorageEngine.default(for: Item.self),
    cacheIdentifier: any KeyPath<Item, String> & Sendable
  ) async throws {
    self.init(storage: storage, identity: cacheIdentifier) { $0[keyPath: cacheIdentifier] }
    try await itemsHaveLoaded()
  }

  /// Creates a store that loads in the background.
  ///
  /// - Parameter identity: what `identifier` is, to be compared with that of other stores.
  init(
    storage: any StorageEngine, identity: AnyHashable,
    identifier: @escaping @Sendable (Item) -> String
  ) {
    self.storage = storage
    self.identifier = identifier
    peers = StorePeers.group(Item.self, on: storage, identity: identity)
    coder = ItemCoder(storage: storage, identifier: identifier)
    peers.add(self)
    startLoading()
  }

  /// Creates a store that holds `items` in memory and has nothing to load.
  init(preview items: [Item], identifier: @escaping @Sendable (Item) -> String) {
    storage = MemoryStorageEngine()
    self.identifier = identifier
    peers = StorePeers()
    coder = ItemCoder(storage: storage, identifier: identifier)
    loading = .finished
    for item in items { table.upsert(item, key: identifier(item)) }
  }

  // MARK: Reading

  /// The items in insertion order; observed by whoever reads it in a tracking scope.
  ///
  /// Empty until the store has loaded: ask ``hasLoaded`` before showing it as empty.
  /// - Complexity: O(1).
  public var items: [Item] {
    gate.access()
    return table.items
  }

  /// Whether the items have been read from the storage; observed like ``items``.
  public var hasLoaded: Bool {
    gate.access()
    return isLoaded
  }

  /// The same, not observed.
  var isLoaded: Bool {
    if case .finished = loading { return true }
    return false
  }

  /// The rows that are on disk but could not be made items; observed like ``items``.
  public var loadIssues: [LoadIssue] {
    gate.access()
    return table.issues
  }

  /// Returns when the items have been loaded.
  ///
  /// - Throws: the engine's error if the storage cannot be read. The next call, and the next
  ///   operation, try again.
  public func itemsHaveLoaded() async throws {
    switch loading {
    case .finished: return
    case .underWay(let task): try await task.value
    case .notStarted: try await startLoading().value
    }
  }

  // MARK: Writing

  /// Saves `item`: on disk, then in memory, replacing the one with its identifier.
  ///
  /// - Complexity: O(1) as long as nobody holds on to an old ``items`` array.
  public func add(_ item: Item) async throws {
    try await perform([.add([item])])
  }

  /// Saves many in one transaction.
  ///
  /// Of a repeated identifier the last item wins, in the first place.
  public func add(_ items: [Item]) async throws {
    try await perform([.add(items)])
  }

  /// Removes the item with the identifier of `item`; nothing happens if there is none.
  public func remove(_ item: Item) async throws {
    try await perform([.remove([item])])
  }

  /// Removes many in one transaction.
  public func remove(_ items: [Item]) async throws {
    try await perform([.remove(items)])
  }

  /// Removes everything, the rows that could not be decoded too.
  public func removeAll() async throws {
    try await perform([.removeAll])
  }

  /// Performs `steps` as one transaction, one change of memory and one notification.
  func perform(_ steps: [Step]) async throws {
    let steps = steps.filter { !$0.isEmpty }
    guard !steps.isEmpty else { return }
    try await withCheckedThrowingContinuation { continuation in
      pending.append(PendingOperation(steps: steps, continuation: continuation))
      guard !isPerforming else { return }
      isPerforming = true
      Task { await performPending() }
    }
  }

  // MARK: Loading

  private enum Loading {
    case notStarted
    case underWay(Task<Void, any Error>)
    case finished
  }

  @discardableResult
  private func startLoading() -> Task<Void, any Error> {
    let task = Task {
      do {
        var loaded: ItemTable<Item>
        repeat {
          hasMissedOperations = false
          loaded = try await coder.load()
          // Another store on the engine did something meanwhile, which the reading may have seen
          // in part. Doing it again could move items: read again.
        } while hasMissedOperations
        gate.withMutation {
          table = loaded
          loading = .finished
        }
        tellLoaded()
      } catch {
        loading = .notStarted
        throw error
      }
    }
    loading = .underWay(task)
    return task
  }

  // MARK: Performing

  /// One step of an operation.
  enum Step: Sendable {
    case add([Item])
    case remove([Item])
    case removeAll

    var isEmpty: Bool {
      switch self {
      case .add(let items), .remove(let items): items.isEmpty
      case .removeAll: false
      }
    }
  }

  private struct PendingOperation {
    let steps: [Step]
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// An operation whose items have been encoded.
  private struct EncodedOperation {
    let operation: PendingOperation
    let changes: [StorageChange]
  }

  private func performPending() async {
    while !pending.isEmpty {
      let batch = pending
      pending = []
      do {
        try await itemsHaveLoaded()
        await commit(encode(batch))
      } catch {
        for operation in batch { operation.continuation.resume(throwing: error) }
      }
    }
    isPerforming = false
  }

  /// Encodes each operation; one that cannot be encoded fails alone.
  private func encode(_ batch: [PendingOperation]) async -> [EncodedOperation] {
    var encoded: [EncodedOperation] = []
    for operation in batch {
      do {
        let changes = try await changes(of: operation.steps)
        encoded.append(EncodedOperation(operation: operation, changes: changes))
      } catch {
        operation.continuation.resume(throwing: error)
      }
    }
    return encoded
  }

  /// Commits in one transaction the operations that were waiting together.
  ///
  /// That costs one flush to disk instead of many. If it fails, each operation is tried alone, so
  /// that one does not fail the others.
  private func commit(_ batch: [EncodedOperation]) async {
    guard !batch.isEmpty else { return }
    do {
      try await storage.commit(batch.flatMap(\.changes))
      await finish(batch)
    } catch  where batch.count > 1 {
      for encoded in batch { await commit([encoded]) }
    } catch {
      batch[0].operation.continuation.resume(throwing: error)
    }
  }

  private func changes(of steps: [Step]) async throws -> [StorageChange] {
    var changes: [StorageChange] = []
    for step in steps {
      switch step {
      case .add(let items):
        changes += try await coder.encode(items)
      case .remove(let items):
        changes += items.map { .remove(key: CacheKey(verbatim: identifier($0))) }
      case .removeAll:
        changes.append(.removeAll)
      }
    }
    return changes
  }

  /// Brings memory to what the disk now holds, here and in the other stores on the engine, and
  /// answers the callers.
  private func finish(_ batch: [EncodedOperation]) async {
    let engine = storage as? any AttachmentStorage
    let others = peers.others(than: self)
    // Without a suspension: another store's commit must not come between two of this one's.
    for encoded in batch {
      if let engine {
        for case .write(_, _, let attachments) in encoded.changes {
          for attachment in attachments { attachment.content.didStore(in: engine) }
        }
      }
      follow(encoded.operation.steps)
      for other in others { other.follow(encoded.operation.steps) }
    }
    await engine?.releaseRemovedAttachments()
    for encoded in batch { encoded.operation.continuation.resume() }
  }

  /// Changes memory as `steps` have changed the disk; while loading, the loading begins anew.
  func follow(_ steps: [Step]) {
    guard case .finished = loading else {
      hasMissedOperations = true
      return
    }
    guard steps.contains(where: changesMemory) else { return }
    telling(steps) {
      gate.withMutation { for step in steps { apply(step) } }
    }
  }

  /// Whether `step` would change anything that observers see, were it the next one.
  private func changesMemory(_ step: Step) -> Bool {
    switch step {
    case .add(let items): items.contains { table.item(identifier($0)) != $0 }
    case .remove(let items): items.contains { table.holds(identifier($0)) }
    case .removeAll: !table.items.isEmpty || !table.issues.isEmpty
    }
  }

  private func apply(_ step: Step) {
    switch step {
    case .add(let items): for item in items { table.upsert(item, key: identifier(item)) }
    case .remove(let items): table.remove(items.map(identifier))
    case .removeAll: table.removeAll()
    }
  }
}
