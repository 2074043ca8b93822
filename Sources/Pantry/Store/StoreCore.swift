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
  /// Told when the items have loaded.
  let loadGate = ObservationGate()
  let entityGates = EntityGates()
  let excerptReader: ExcerptReader<Item>

  let coder: ItemCoder<Item>
  var table = ItemTable<Item>()
  var provisional = ProvisionalItems<Item>()
  /// How far the items follow what others write; nil if nobody else can.
  private(set) var follower: StorageFollower?

  private var loading = Loading.notStarted
  /// Why the items could not be loaded.
  private(set) var loadError: (any Error)?
  private var pending: [Pending] = []
  private var isBehind = false
  private var isPerforming = false

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
    excerptReader = ExcerptReader(limit: excerptLimit)
    coder = ItemCoder(storage: storage, definition: definition)
    if case .failure(let error) = claim {
      loading = .refused(error)
      loadError = error
      return
    }
    follower = (storage as? any LiveStorage)?.follower { [weak self] in
      Task { @MainActor in self?.catchUp() }
    }
    startLoading()
  }

  /// Creates a core that holds `items` in memory and has nothing to load.
  init(preview items: [Item], _ definition: StoreDefinition<Item>) {
    storage = MemoryStorageEngine()
    self.definition = definition
    claim = nil
    excerptReader = ExcerptReader(limit: 0)
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

  /// Whether the items have been loaded, not observed.
  var isLoaded: Bool {
    if case .finished = loading { return true }
    return false
  }

  /// Returns when the items have been loaded; a load that has failed is tried again.
  func load() async throws {
    switch loading {
    case .finished: return
    case .refused(let error): throw error
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
  ///
  /// - Parameter change: the change that has shown their result already.
  func perform(
    _ steps: [Step], settling change: ProvisionalItems<Item>.Token? = nil
  ) async throws {
    let steps = steps.filter { !$0.isEmpty }
    guard !steps.isEmpty else { return }
    try await withCheckedThrowingContinuation { continuation in
      enqueue(
        .operation(
          PendingOperation(steps: steps, settles: change, continuation: continuation)))
    }
  }

  /// Takes a turn in the order of the operations: nothing else happens here until it ends.
  func takeTurn() -> StoreTurn {
    let turn = StoreTurn()
    enqueue(.turn(turn))
    return turn
  }

  private func enqueue(_ next: Pending) {
    pending.append(next)
    excerptReader.hurry()
    startPerforming()
  }

  /// Reads what others have written, after what is being done now.
  private func catchUp() {
    isBehind = true
    startPerforming()
  }

  // MARK: Loading

  private enum Loading {
    case notStarted
    case underWay(Task<Void, any Error>)
    case finished
    /// The storage is not for these items.
    case refused(StorageError)
  }

  @discardableResult
  private func startLoading() -> Task<Void, any Error> {
    excerptReader.start(by: coder)
    let task = Task {
      await excerptReader.mayLoad()
      do {
        let loaded = try await coder.load(
          for: follower, slowly: excerptReader.current.map(\.count))
        loadGate.withMutation {
          gate.withMutation {
            excerptReader.drop {
              table = loaded.table
              loading = .finished
              loadError = nil
            }
          }
        }
        entityGates.tell { loaded.table.holdsItem($0) }
        tellLoaded()
        writeBack(loaded.upgraded)
      } catch {
        loadGate.withMutation {
          excerptReader.drop {
            loading = .notStarted
            loadError = error
          }
        }
        throw error
      }
    }
    loading = .underWay(task)
    return task
  }

  /// Writes rows that have been upgraded, so that they need not be the next time.
  private func writeBack(_ keys: [CacheKey]) {
    guard !keys.isEmpty else { return }
    // Failing leaves them for the next time: what is shown is right.
    Task { try? await perform([.rewrite(keys)]) }  // see above
  }

  // MARK: Performing

  private func startPerforming() {
    guard !isPerforming else { return }
    isPerforming = true
    Task { await performPending() }
  }

  private func performPending() async {
    while !pending.isEmpty || isBehind {
      if case .turn(let turn) = pending.first {
        pending.removeFirst()
        await turn.run()
        continue
      }
      let batch = takeBatch()
      do {
        try await load()
        if batch.isEmpty {
          try await readChanges()
        } else if let only = batch.first, only.isWorkedOut {
          await performWorkedOut(only)
        } else {
          await commit(encode(batch))
        }
      } catch {
        for operation in batch { operation.continuation.resume(throwing: error) }
      }
    }
    isPerforming = false
  }

  /// The operations that can be committed together; none if there is only something to read.
  ///
  /// One whose steps depend on what the store holds is alone.
  private func takeBatch() -> [PendingOperation] {
    var batch: [PendingOperation] = []
    while case .operation(let next) = pending.first, batch.isEmpty || !next.isWorkedOut {
      batch.append(next)
      pending.removeFirst()
      if next.isWorkedOut { break }
    }
    return batch
  }

  /// Brings memory to what others have written.
  private func readChanges() async throws {
    isBehind = false
    guard let storage = storage as? any LiveStorage, let follower else { return }
    let update = try await storage.changes(for: follower)
    await follow(update)
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
      let positions = try await commit(batch.flatMap(\.changes), basedOn: .nothing)
      await finish(batch, positions: positions)
    } catch  where batch.count > 1 {
      for encoded in batch { await commit([encoded]) }
    } catch {
      batch[0].operation.continuation.resume(throwing: error)
    }
  }

  /// Commits, and brings memory to what others had written before.
  ///
  /// - Returns: the positions of new rows, empty if the engine does not tell them; nil if nothing was
  ///   written, since others have changed what is in `basis`.
  private func commit(
    _ changes: [StorageChange], basedOn basis: StorageBasis
  ) async throws -> [Int?]? {
    guard let storage = storage as? any LiveStorage, let follower else {
      try await storage.commit(changes)
      return []
    }
    let commit = try await storage.commit(changes, basedOn: basis, for: follower)
    await follow(commit.update)
    return commit.positions
  }

  /// Performs an operation that depends on what the store holds: anew, if others change that in the
  /// moment between.
  private func performWorkedOut(_ operation: PendingOperation) async {
    do {
      while true {
        let resolution = try StepResolution(operation.steps, in: self, isOfShown: false)
        let changes = try await changes(of: resolution.steps)
        guard !changes.isEmpty else { break }
        guard let positions = try await commit(changes, basedOn: .keys(resolution.basis)) else {
          continue
        }
        let settled =
          operation.settles ?? provisional.noteWritten(resolution.transforms, over: table)
        let resolved = PendingOperation(
          steps: resolution.steps, settles: settled, continuation: operation.continuation)
        await finish(
          [EncodedOperation(operation: resolved, changes: changes)], positions: positions)
        return
      }
      if let settled = operation.settles { change([], settling: settled) }
      operation.continuation.resume()
    } catch {
      operation.continuation.resume(throwing: error)
    }
  }

  /// Encodes what plain steps change.
  func changes(of steps: [Step]) async throws -> [StorageChange] {
    try requireNoNewer(in: steps)
    var changes: [StorageChange] = []
    for step in steps {
      switch step {
      case .add(let items): changes += try await coder.encode(items)
      case .remove(let keys): changes += keys.map { .remove(key: $0) }
      case .removeAll: changes.append(.removeAll)
      case .merge, .update, .settle, .rewrite: break  // worked out before
      }
    }
    return changes
  }

  /// Throws if `steps` would write over, or remove, what a newer version of the program has written.
  private func requireNoNewer(in steps: [Step]) throws(StorageError) {
    guard let newest = table.newestVersion else { return }
    for step in steps {
      let isHarmless =
        switch step {
        case .add(let items): !items.contains { table.holdsNewer(identifier($0)) }
        case .remove(let keys): !keys.contains(where: table.holdsNewer)
        case .removeAll: false
        case .merge, .update, .settle, .rewrite: true  // worked out before
        }
      guard isHarmless else {
        throw .newerModel(
          type: TypeName(Item.self).shown, version: newest, supported: definition.upgrades.count)
      }
    }
  }

  /// Lets go of the bytes that the engine has stored now.
  func noteStored(_ changes: [StorageChange]) {
    guard let engine = storage as? any AttachmentStorage else { return }
    for case .write(_, _, let attachments) in changes {
      for attachment in attachments { attachment.content.didStore(in: engine) }
    }
  }

  /// Brings memory to what the disk now holds, and answers the callers.
  private func finish(_ batch: [EncodedOperation], positions: [Int?]?) async {
    var positions = (positions ?? [])[...]
    for encoded in batch {
      noteStored(encoded.changes)
      let own = positions.prefix(encoded.changes.count)
      positions = positions.dropFirst(encoded.changes.count)
      let operation = encoded.operation
      change(edits(of: operation.steps, positions: own), settling: operation.settles)
    }
    for encoded in batch { encoded.operation.continuation.resume() }
  }

  /// What `steps` come to in memory.
  func edits(of steps: [Step], positions: ArraySlice<Int?>) -> [TableEdit<Item>] {
    var positions = positions
    return steps.map { step in
      switch step {
      case .add(let items):
        let entries = items.map { item in
          TableEdit.Entry(
            key: identifier(item), item: item, position: positions.popFirst() ?? nil)
        }
        return .put(entries)
      case .remove(let keys):
        positions = positions.dropFirst(keys.count)
        return .remove(keys)
      case .removeAll:
        positions = positions.dropFirst()
        return .removeAll
      case .merge, .update, .settle, .rewrite: return .put([])  // worked out before
      }
    }
  }

  /// Brings memory to what others have written, as one change.
  func follow(_ update: StorageUpdate) async {
    guard !update.isEmpty else { return }
    let edits = await coder.edits(for: update)
    change(edits)
  }

  /// What waits for its turn.
  private enum Pending {
    case operation(PendingOperation)
    case turn(StoreTurn)
  }

  private struct PendingOperation {
    let steps: [Step]
    let settles: ProvisionalItems<Item>.Token?
    let continuation: CheckedContinuation<Void, any Error>

    /// Whether what it does depends on what the store holds.
    var isWorkedOut: Bool { steps.contains(where: \.isWorkedOut) }
  }

  /// An operation whose items have been encoded.
  private struct EncodedOperation {
    let operation: PendingOperation
    let changes: [StorageChange]
  }
}

/// Tells the cores of a process apart: a core keeps its engine alive, and so its identifier.
private struct CoreKey: Hashable, Sendable {
  static let cores = WeakTable<CoreKey>()

  let storage: ObjectIdentifier
  let item: ObjectIdentifier
}
