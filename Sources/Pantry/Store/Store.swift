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
/// Stores of one item type on one engine object show the same items at every moment: when an
/// operation of one returns, all have its result. On an SQLite file and on a directory of
/// ``DiskStorageEngine`` the stores of other engines and other processes follow, a moment later.
///
/// The store lives on the main actor. JSON, hashing and disk never run there.
@MainActor
public final class Store<Item: StorableItem> {
  /// What this store shares with the others of its type on its engine.
  let core: StoreCore<Item>

  /// Creates a store and returns when it has loaded what `storage` holds.
  ///
  /// Where nothing can be awaited, such as in a `static let`, there is
  /// ``loadingInBackground(storage:cacheIdentifier:excerptLimit:formerNames:upgrades:fileID:)``.
  ///
  /// - Parameters:
  ///   - storage: where the items are kept; by default
  ///     ``SQLiteStorageEngine/default(for:formerNames:fileID:)``.
  ///   - cacheIdentifier: what tells one item from another; it must not change with its content.
  ///   - formerNames: what `Item` was called before, for the default storage.
  ///   - upgrades: those of the model, in order; none if it has not changed in a way that its rows
  ///     could not be read.
  ///   - fileID: the code whose module names the directory of the default storage.
  /// - Throws: the engine's error if the storage cannot be read, or the ``StorageError`` of a
  ///   namespace that is not to be shared with this type.
  public convenience init(
    storage: (any StorageEngine)? = nil,
    cacheIdentifier: any KeyPath<Item, String> & Sendable,
    formerNames: [String] = [], upgrades: [ModelUpgrade] = [], fileID: String = #fileID
  ) async throws {
    self.init(
      storage ?? Self.defaultStorage(formerNames, fileID),
      StoreDefinition(path: cacheIdentifier).upgraded(by: upgrades))
    try await itemsHaveLoaded()
  }

  /// Creates a store that loads what `storage` holds in the background.
  ///
  /// ``itemsHaveLoaded()`` returns when it has; until then ``items`` is empty, and ``hasLoaded``
  /// false. If it fails, ``loadError`` says why.
  ///
  /// - Parameters:
  ///   - storage: where the items are kept; by default
  ///     ``SQLiteStorageEngine/default(for:formerNames:fileID:)``.
  ///   - cacheIdentifier: what tells one item from another; it must not change with its content.
  ///   - excerptLimit: how many of the newest items ``excerpt`` has while the store loads; with 0
  ///     there is no excerpt. Among stores on one engine object, that of the first counts.
  ///   - formerNames: what `Item` was called before, for the default storage.
  ///   - upgrades: those of the model, in order; none if it has not changed in a way that its rows
  ///     could not be read.
  ///   - fileID: the code whose module names the directory of the default storage.
  public static func loadingInBackground(
    storage: (any StorageEngine)? = nil,
    cacheIdentifier: any KeyPath<Item, String> & Sendable, excerptLimit: Int = 0,
    formerNames: [String] = [], upgrades: [ModelUpgrade] = [], fileID: String = #fileID
  ) -> Store {
    Store(
      storage ?? defaultStorage(formerNames, fileID),
      StoreDefinition(path: cacheIdentifier).upgraded(by: upgrades),
      excerptLimit: excerptLimit)
  }

  init(
    _ storage: any StorageEngine, _ definition: StoreDefinition<Item>, excerptLimit: Int = 0
  ) {
    core = .shared(storage: storage, definition, excerptLimit: excerptLimit)
  }

  /// Creates a store that holds `items` in memory and has nothing to load.
  init(preview items: [Item], _ definition: StoreDefinition<Item>) {
    core = StoreCore(preview: items, definition)
  }

  static func defaultStorage(_ formerNames: [String], _ fileID: String) -> SQLiteStorageEngine {
    .default(for: Item.self, formerNames: formerNames, fileID: fileID)
  }

  /// The engine that keeps the items.
  public var storage: any StorageEngine { core.storage }

  // MARK: Reading

  /// The items in insertion order; observed by whoever reads it in a tracking scope.
  ///
  /// Empty until the store has loaded: ask ``hasLoaded`` before showing it as empty.
  /// - Complexity: O(1).
  public var items: [Item] {
    core.gate.access()
    return core.table.items
  }

  /// Whether the items have been read from the storage; observed, also by itself.
  public var hasLoaded: Bool {
    core.loadGate.access()
    return core.isLoaded
  }

  /// Why the items could not be loaded, in words; nil once they have been.
  ///
  /// Observed like ``hasLoaded``. The next operation tries again, and so does
  /// ``itemsHaveLoaded()``.
  public var loadError: (any Error)? {
    core.loadGate.access()
    return core.loadError
  }

  /// Whether the engine reaches its storage, with the reason if it does not; observed by itself.
  ///
  /// Without a connection ``items`` are those that were read last, and operations throw the
  /// engine's error. Engines in a file are always connected.
  public var connection: StorageConnection {
    core.connectionGate.access()
    return core.connection
  }

  /// The rows that are on disk but could not be made items; observed like ``items``.
  public var loadIssues: [LoadIssue] {
    core.gate.access()
    return core.table.issues
  }

  /// Returns when the items have been loaded.
  ///
  /// - Throws: the engine's error if the storage cannot be read. The next call, and the next
  ///   operation, try again.
  public func itemsHaveLoaded() async throws {
    try await core.load()
  }

  /// Returns when all operations that were called before have ended, as at the end of a program.
  public func operationsHaveEnded() async {
    let turn = core.takeTurn()
    await turn.begun()
    turn.end()
  }

  // MARK: Writing

  /// Saves `item`: on disk, then in memory, replacing the one with its identifier.
  ///
  /// - Throws: the encoder's or the engine's error; then nothing has changed.
  /// - Complexity: O(1) as long as nobody holds on to an old ``items`` array.
  public func add(_ item: Item) async throws {
    try await core.perform([.add([item])])
  }

  /// Saves many in one transaction.
  ///
  /// Of a repeated identifier the last item wins, in the first place.
  ///
  /// - Throws: the encoder's or the engine's error; then nothing has changed.
  public func add(_ items: [Item]) async throws {
    try await core.perform([.add(items)])
  }

  /// Removes the item with the identifier of `item`; nothing happens if there is none.
  ///
  /// - Throws: the engine's error; then nothing has changed.
  public func remove(_ item: Item) async throws {
    try await core.perform([.remove([core.identifier(item)])])
  }

  /// Removes many in one transaction.
  ///
  /// - Throws: the engine's error; then nothing has changed.
  public func remove(_ items: [Item]) async throws {
    try await core.perform([.remove(items.map(core.identifier))])
  }

  /// Removes everything, the rows that could not be decoded too.
  ///
  /// - Throws: the engine's error; then nothing has changed.
  public func removeAll() async throws {
    try await core.perform([.removeAll])
  }
}
