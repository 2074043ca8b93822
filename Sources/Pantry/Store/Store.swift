/// The requirements of an item of a ``Store``.
public typealias StorableItem = Codable & Equatable & Sendable

/// A persisted array: a saved item is on disk, in memory, and in every view that shows it.
///
/// `items` is in insertion order, also after a relaunch; writing an item with a known identifier
/// replaces it in its place. Every operation reaches the disk first and then memory, so when one
/// throws, both are as they were. Operations apply in the order of their calls; once called, an
/// operation finishes even if the calling task is canceled. Operations called while the store loads
/// wait until it has loaded.
///
/// Stores of one item type on one engine object always show the same items: when an operation of
/// one returns, all have its result. On a SQLite file and on a directory of ``DiskStorageEngine``,
/// stores of other engines and other processes follow a moment later.
///
/// The store lives on the main actor. JSON, hashing and disk never run there.
///
/// Reading ``items``, an item by its identifier and what is observed is O(1). An operation on k
/// items takes O(k) and one transaction of the engine, with one flush of the disk; in memory,
/// removing takes O(n), too.
@MainActor
public final class Store<Item: StorableItem> {
  /// The state that this store shares with the others of its type on its engine.
  let core: StoreCore<Item>

  /// Creates a store and returns when it has loaded the items of `storage`.
  ///
  /// Where code cannot await, such as in a `static let`, use
  /// ``loadingInBackground(storage:cacheIdentifier:excerptLimit:formerNames:upgrades:fileID:)``.
  ///
  /// - Parameters:
  ///   - storage: the engine that keeps the items; by default
  ///     ``SQLiteStorageEngine/default(for:formerNames:fileID:)``.
  ///   - cacheIdentifier: the path of an item's identifier; it must not change with the item's
  ///     content.
  ///   - formerNames: the former full names of `Item`, newest first.
  ///   - upgrades: the upgrades of the model, in order; empty as long as older rows still decode.
  ///   - fileID: the calling file; its module names the directory of the default storage.
  /// - Throws: the engine's error if the storage cannot be read, or a ``StorageError`` if the
  ///   namespace belongs to another type or definition.
  public convenience init(
    storage: (any StorageEngine)? = nil,
    cacheIdentifier: any KeyPath<Item, String> & Sendable,
    formerNames: [String] = [], upgrades: [ModelUpgrade] = [], fileID: String = #fileID
  ) async throws {
    self.init(
      storage ?? Self.defaultStorage(formerNames, fileID),
      StoreDefinition(path: cacheIdentifier).upgraded(by: upgrades, formerNames: formerNames))
    try await itemsHaveLoaded()
  }

  /// Creates a store that loads the items of `storage` in the background.
  ///
  /// ``itemsHaveLoaded()`` returns when loading has ended; until then ``items`` is empty, and
  /// ``hasLoaded`` is false. If loading fails, ``loadError`` is set.
  ///
  /// - Parameters:
  ///   - storage: the engine that keeps the items; by default
  ///     ``SQLiteStorageEngine/default(for:formerNames:fileID:)``.
  ///   - cacheIdentifier: the path of an item's identifier; it must not change with the item's
  ///     content.
  ///   - excerptLimit: the number of newest items that ``excerpt`` has before the others are asked
  ///     for; 0 loads all at once. Among stores on one engine object, that of the first counts.
  ///   - formerNames: the former full names of `Item`, newest first.
  ///   - upgrades: the upgrades of the model, in order; empty as long as older rows still decode.
  ///   - fileID: the calling file; its module names the directory of the default storage.
  public static func loadingInBackground(
    storage: (any StorageEngine)? = nil,
    cacheIdentifier: any KeyPath<Item, String> & Sendable, excerptLimit: Int = 0,
    formerNames: [String] = [], upgrades: [ModelUpgrade] = [], fileID: String = #fileID
  ) -> Store {
    Store(
      storage ?? defaultStorage(formerNames, fileID),
      StoreDefinition(path: cacheIdentifier).upgraded(by: upgrades, formerNames: formerNames),
      excerptLimit: excerptLimit)
  }

  init(
    _ storage: any StorageEngine, _ definition: StoreDefinition<Item>, excerptLimit: Int = 0
  ) {
    core = .shared(storage: storage, definition, excerptLimit: excerptLimit)
  }

  /// Creates a store with `items` in memory and nothing to load.
  init(preview items: [Item], _ definition: StoreDefinition<Item>) {
    core = StoreCore(preview: items, definition)
  }

  static func defaultStorage(_ formerNames: [String], _ fileID: String) -> SQLiteStorageEngine {
    .default(for: Item.self, formerNames: formerNames, fileID: fileID)
  }

  /// The engine that keeps the items.
  public var storage: any StorageEngine { core.storage }

  // MARK: Reading

  /// The items in insertion order; observed.
  ///
  /// Empty until the store has loaded: check ``hasLoaded`` before showing it as empty.
  /// - Complexity: O(1).
  public var items: [Item] {
    core.visible.gate.access()
    return core.visible.table.items
  }

  /// Whether the items have been read from the storage; observed, independently of ``items``.
  public var hasLoaded: Bool {
    core.loadGate.access()
    return core.isLoaded
  }

  /// The error of the last load; nil once the items have been loaded.
  ///
  /// Observed like ``hasLoaded``. The next operation retries the load, and so does
  /// ``itemsHaveLoaded()``.
  public var loadError: (any Error)? {
    core.loadGate.access()
    return core.loadError
  }

  /// Whether the engine reaches its storage, with the reason if not; observed independently.
  ///
  /// Without a connection, ``items`` are the items read last, and operations throw the engine's
  /// error. Engines on local files are always connected.
  public var connection: StorageConnection {
    core.connectionGate.access()
    return core.connection
  }

  /// The rows on disk that could not be decoded as items; observed like ``items``.
  public var loadIssues: [LoadIssue] {
    core.visible.gate.access()
    return core.visible.table.issues
  }

  /// Returns when the items have been loaded.
  ///
  /// - Throws: the engine's error if the storage cannot be read. The next call, and the next
  ///   operation, retry.
  public func itemsHaveLoaded() async throws {
    try await core.load()
  }

  /// Returns when all operations called before have ended; useful at the end of a program.
  public func operationsHaveEnded() async {
    let turn = core.takeTurn()
    await turn.begun()
    turn.end()
  }

  /// Closes the storage after all operations called before, and throws if that fails.
  ///
  /// The end of the program does the same by itself, without errors:
  /// <doc:ConcurrencyAndDurability>. Other stores on the same file are closed with it; a later
  /// operation opens it again.
  ///
  /// - Throws: the engine's error, such as that of ``SQLiteStorageEngine/close()``; then nothing is
  ///   lost.
  public func close() async throws {
    await operationsHaveEnded()
    // It would open a closed file again.
    core.retry.end()
    try await storage.close()
  }

  // MARK: Writing

  /// Saves `item`: on disk, then in memory, replacing the one with its identifier.
  ///
  /// - Throws: the encoder's or the engine's error; then nothing has changed.
  /// - Complexity: O(1) unless an old ``items`` array is still in use, which makes it a copy.
  public func add(_ item: Item) async throws {
    try await core.perform([.add([item])])
  }

  /// Saves many items in one transaction.
  ///
  /// If an identifier repeats, the last item wins, at the first position.
  ///
  /// - Throws: the encoder's or the engine's error; then nothing has changed.
  public func add(_ items: [Item]) async throws {
    try await core.perform([.add(items)])
  }

  /// Removes the item with the identifier of `item`, if there is one.
  ///
  /// - Throws: the engine's error; then nothing has changed.
  public func remove(_ item: Item) async throws {
    try await core.perform([.remove([core.visible.identifier(item)])])
  }

  /// Removes many items in one transaction.
  ///
  /// - Throws: the engine's error; then nothing has changed.
  public func remove(_ items: [Item]) async throws {
    try await core.perform([.remove(items.map(core.visible.identifier))])
  }

  /// Removes all items.
  ///
  /// Rows that could not be decoded stay, since they may be another type's, or be recovered: see
  /// ``removeRows(of:)``.
  ///
  /// - Throws: the engine's error; then nothing has changed.
  public func removeAll() async throws {
    try await core.perform([.removeAll])
  }
}
