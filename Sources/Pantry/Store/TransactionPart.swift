/// What a transaction does in one store.
@MainActor
protocol TransactionPart: AnyObject {
  var storage: any StorageEngine { get }
  var itemType: any StorableItem.Type { get }
  var conflictPatience: Duration { get }

  /// Loads the store, and reads what is true if it is not known what became of a commit.
  func load() async throws
  func takeTurn() -> StoreTurn
  /// Forgets what it was to do.
  func begin()
  /// Resolves and encodes what it is to do.
  func resolve() async throws -> StoragePart
  /// Prepares what has been committed for memory.
  func prepare(_ commit: StorageCommit) async
  /// Brings memory to what has been prepared; returns what tells of it.
  func apply() -> () -> Void
  /// Brings memory to what others have written.
  func follow(_ update: StorageUpdate) async
  /// Reads what others have written, and brings memory to it.
  func followOthers() async throws
  /// Notes an error of the engine, after which it may have to be read what is true.
  func note(_ error: any Error) async
}

/// What a transaction does in a store of `Item`.
final class StoreTransactionPart<Item: StorableItem>: TransactionPart {
  var steps: [StoreCore<Item>.Step] = []
  let core: StoreCore<Item>
  private var resolution: StepResolution<Item>?
  private var changes: [StorageChange] = []
  private var stored: StoredChange<Item>?
  private var prepared: PreparedChange<Item>?

  init(_ core: StoreCore<Item>) {
    self.core = core
  }

  var storage: any StorageEngine { core.storage }
  var itemType: any StorableItem.Type { Item.self }

  var conflictPatience: Duration { core.conflictPatience }

  func load() async throws {
    try await core.load()
    try await core.requireCertainty()
  }

  func takeTurn() -> StoreTurn { core.takeTurn() }

  func begin() {
    steps = []
    changes = []
    resolution = nil
    stored = nil
    prepared = nil
  }

  func resolve() async throws -> StoragePart {
    let resolution = try await StepResolution.resolving(
      steps.filter { !$0.isEmpty }, in: core)
    self.resolution = resolution
    changes = try await core.changes(of: resolution.steps)
    return StoragePart(
      storage: storage, changes: changes, basis: .everything, follower: core.follower)
  }

  func prepare(_ commit: StorageCommit) async {
    guard let resolution else { return }
    let edits = await core.edits(
      of: resolution.steps, written: changes, at: (commit.positions ?? [])[...])
    let stored = StoredChange(edits: edits, transforms: resolution.transforms)
    prepared = await core.prepare(stored)
    self.stored = stored
    discard((changes, resolution), of: changes.count)
  }

  func apply() -> () -> Void {
    guard let stored else { return {} }
    let difference = core.make(stored, prepared)
    // What it holds of the former table would make the next change copy everything.
    prepared = nil
    stored.discard()
    return { [core] in
      core.tell(difference)
      difference.discard()
    }
  }

  func follow(_ update: StorageUpdate) async { await core.follow(update) }

  func followOthers() async throws { try await core.followOthers() }

  func note(_ error: any Error) async { await core.note(error) }
}
