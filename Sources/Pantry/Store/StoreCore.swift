/// The items of one engine in memory, the loading of them, and the operations that wait for it.
///
/// Every ``Store`` of one item type on one engine is a view of the same core, so that all of them
/// see the same truth at once and their operations have one order.
@MainActor
final class StoreCore<Item: StorableItem> {
  let storage: any StorageEngine
  let identifier: @Sendable (Item) -> String

  let eventSubscribers = Broadcast<StoreEvent<Item>>()
  let valueSubscribers = Broadcast<[Item]>()
  let gate = ObservationGate()
  let excerptReader: ExcerptReader<Item>

  private let coder: ItemCoder<Item>
  private(set) var table = ItemTable<Item>()
  private var loading = Loading.notStarted
  private var pending: [PendingOperation] = []
  private var isPerforming = false

  /// Creates a core that begins to load what `storage` holds.
  init(
    storage: any StorageEngine, excerptLimit: Int,
    identifier: @escaping @Sendable (Item) -> String
  ) {
    self.storage = storage
    self.identifier = identifier
    excerptReader = ExcerptReader(limit: excerptLimit)
    coder = ItemCoder(storage: storage, identifier: identifier)
    startLoading()
  }

  /// Creates a core that holds `items` in memory and has nothing to load.
  init(preview items: [Item], identifier: @escaping @Sendable (Item) -> String) {
    storage = MemoryStorageEngine()
    self.identifier = identifier
    excerptReader = ExcerptReader(limit: 0)
    coder = ItemCoder(storage: storage, identifier: identifier)
    loading = .finished
    for item in items { table.upsert(item, key: identifier(item)) }
  }

  /// The core that all stores of `Item` on `storage` share.
  static func shared(
    storage: any StorageEngine, excerptLimit: Int,
    identifier: @escaping @Sendable (Item) -> String
  ) -> StoreCore {
    let place = StorePlace(storage: ObjectIdentifier(storage), item: ObjectIdentifier(Item.self))
    return StorePlace.cores.object(place) {
      StoreCore(storage: storage, excerptLimit: excerptLimit, identifier: identifier)
    }
  }

  /// Whether the items have been loaded, not observed.
  var isLoaded: Bool {
    if case .finished = loading { return true }
    return false
  }

  /// Returns when the items have been loaded; a load that has failed is tried again.
  func load() async throws {
    switch loading {
    case .finished: return
    case .underWay(let task): try await task.value
    case .notStarted: try await startLoading().value
    }
  }

  /// Returns when there is an excerpt, or the items have been loaded.
  func loadExcerpt() async throws {
    if case .notStarted = loading { startLoading() }
    await excerptReader.hasEnded()
    if excerptReader.current == nil { try await load() }
  }

  /// Performs `steps` as one transaction, one change of memory and one notification.
  func perform(_ steps: [Step]) async throws {
    let steps = steps.filter { !$0.isEmpty }
    guard !steps.isEmpty else { return }
    try await withCheckedThrowingContinuation { continuation in
      pending.append(PendingOperation(steps: steps, continuation: continuation))
      excerptReader.hurry()
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
    excerptReader.start(by: coder)
    let task = Task {
      await excerptReader.mayLoad()
      do {
        let loaded = try await table(after: excerptReader.current)
        gate.withMutation {
          excerptReader.drop {
            table = loaded
            loading = .finished
          }
        }
        tellLoaded()
      } catch {
        excerptReader.drop { loading = .notStarted }
        throw error
      }
    }
    loading = .underWay(task)
    return task
  }

  private func table(after excerpt: StoreExcerpt<Item>?) async throws -> ItemTable<Item> {
    guard let excerpt else { return try await coder.load() }
    return try await coder.load(expecting: excerpt.count)
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
        try await load()
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

  /// Brings memory to what the disk now holds, and answers the callers.
  private func finish(_ batch: [EncodedOperation]) async {
    let engine = storage as? any AttachmentStorage
    for encoded in batch {
      if let engine {
        for case .write(_, _, let attachments) in encoded.changes {
          for attachment in attachments { attachment.content.didStore(in: engine) }
        }
      }
      let steps = encoded.operation.steps
      guard steps.contains(where: changesMemory) else { continue }
      telling(steps) { for step in steps { apply(step) } }
    }
    if let engine, engine.holdsRemovedAttachments { await engine.releaseRemovedAttachments() }
    for encoded in batch { encoded.operation.continuation.resume() }
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

/// Tells the cores of a process apart: a core keeps its engine alive, and so its identifier.
private struct StorePlace: Hashable, Sendable {
  static let cores = WeakTable<StorePlace>()

  let storage: ObjectIdentifier
  let item: ObjectIdentifier
}
