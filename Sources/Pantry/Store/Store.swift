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
  /// ``loadingInBackground(storage:cacheIdentifier:excerptLimit:)``.
  ///
  /// - Parameters:
  ///   - storage: where the items are kept; by default ``SQLiteStorageEngine`` in the default
  ///     directory, with a namespace named after `Item`.
  ///   - cacheIdentifier: what tells one item from another; it must not change with its content.
  ///     Among stores of one type on one engine object, that of the first counts.
  /// - Throws: the engine's error if the storage cannot be read.
  public convenience init(
    storage: any StorageEngine = SQLiteStorageEngine.default(for: Item.self),
    cacheIdentifier: any KeyPath<Item, String> & Sendable
  ) async throws {
    self.init(storage: storage) { $0[keyPath: cacheIdentifier] }
    try await itemsHaveLoaded()
  }

  /// Creates a store that loads what `storage` holds in the background.
  ///
  /// ``itemsHaveLoaded()`` returns when it has; until then ``items`` is empty, and ``hasLoaded``
  /// false.
  ///
  /// - Parameters:
  ///   - storage: where the items are kept; by default ``SQLiteStorageEngine`` in the default
  ///     directory, with a namespace named after `Item`.
  ///   - cacheIdentifier: what tells one item from another; it must not change with its content.
  ///     Among stores of one type on one engine object, that of the first counts.
  ///   - excerptLimit: how many of the newest items ``excerpt`` has while the store loads; with 0
  ///     there is no excerpt. Here too the first store counts.
  public static func loadingInBackground(
    storage: any StorageEngine = SQLiteStorageEngine.default(for: Item.self),
    cacheIdentifier: any KeyPath<Item, String> & Sendable, excerptLimit: Int = 0
  ) -> Store {
    Store(storage: storage, excerptLimit: excerptLimit) { $0[keyPath: cacheIdentifier] }
  }

  init(
    storage: any StorageEngine, excerptLimit: Int = 0,
    identifier: @escaping @Sendable (Item) -> String
  ) {
    core = .shared(storage: storage, excerptLimit: excerptLimit) {
      CacheKey(verbatim: identifier($0))
    }
  }

  /// Creates a store that holds `items` in memory and has nothing to load.
  init(preview items: [Item], identifier: @escaping @Sendable (Item) -> String) {
    core = StoreCore(preview: items) { CacheKey(verbatim: identifier($0)) }
  }

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
