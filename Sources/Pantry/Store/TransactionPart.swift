/// The part of a transaction in one store.
@MainActor
protocol TransactionPart: AnyObject {
  var storage: any StorageEngine { get }
  var itemType: any StorableItem.Type { get }
  var conflictPatience: Duration { get }
  /// Whether any change has been recorded.
  var hasSteps: Bool { get }

  func load() async throws
  /// Reads the store again if the outcome of a commit is unknown; call it in the turn.
  func requireCertainty() async throws
  func takeTurn() -> StoreTurn
  /// Discards its steps; until the call of ``end()``, reading items observes none.
  func begin()
  func end()
  /// Resolves and encodes its steps.
  func resolve() async throws -> StoragePart
  func prepare(_ commit: StorageCommit) async
  /// Applies the prepared changes in memory; returns the notification of observers.
  func apply() -> () -> Void
  /// Applies the writes of others in memory.
  func follow(_ update: StorageUpdate) async
  /// Reads the writes of others, and applies them in memory.
  func followOthers() async throws
  /// Records an error of the engine, which may leave the outcome unknown.
  func note(_ error: any Error) async
}

/// The part of a transaction in a store of `Item`.
final class StoreTransactionPart<Item: StorableItem>: TransactionPart {
  var steps: [StoreStep<Item>] = []
  let core: StoreCore<Item>
  private var resolution: StepResolution<Item>?
  private var encoded = EncodedSteps<Item>()
  private var stored: StoredChange<Item>?
  private var prepared: PreparedChange<Item>?

  init(_ core: StoreCore<Item>) {
    self.core = core
  }

  var storage: any StorageEngine { core.storage }
  var itemType: any StorableItem.Type { Item.self }

  var hasSteps: Bool { !steps.isEmpty }

  var conflictPatience: Duration { core.conflictPatience }

  func load() async throws { try await core.load() }

  func requireCertainty() async throws { try await core.requireCertainty() }

  func takeTurn() -> StoreTurn { core.takeTurn() }

  func begin() {
    steps = []
    encoded = EncodedSteps()
    resolution = nil
    stored = nil
    prepared = nil
    core.visible.entityGates.isPaused = true
  }

  func end() { core.visible.entityGates.isPaused = false }

  func resolve() async throws -> StoragePart {
    let resolution = try await StepResolution.resolving(
      steps.filter { !$0.isEmpty }, in: core.visible, isTransaction: true)
    self.resolution = resolution
    encoded = try await core.coder.changes(of: resolution.steps)
    return core.part(encoded.changes, basedOn: .everything)
  }

  func prepare(_ commit: StorageCommit) async {
    guard let resolution else { return }
    let edits = await core.edits(
      of: encoded.steps, written: encoded.changes, at: (commit.positions ?? [])[...])
    let stored = StoredChange(edits: edits, transforms: resolution.transforms)
    prepared = await core.visible.prepare(stored)
    self.stored = stored
    discard((encoded, resolution), of: encoded.changes.count)
  }

  func apply() -> () -> Void {
    guard let stored else { return {} }
    let difference = core.visible.make(stored, prepared)
    // Its reference to the former table would make the next change copy everything.
    prepared = nil
    stored.discard()
    return { [visible = core.visible] in
      visible.notify(difference)
      difference.discard()
    }
  }

  func follow(_ update: StorageUpdate) async { await core.follow(update) }

  func followOthers() async throws { try await core.followOthers() }

  func note(_ error: any Error) async { await core.note(error) }
}
