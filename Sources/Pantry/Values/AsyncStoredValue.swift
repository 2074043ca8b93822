/// Keeps one value in any ``StorageEngine``, such as a person's settings in the app's database.
///
/// ```swift
/// @MainActor @Observable final class Screen {
///   @ObservationIgnored
///   @AsyncStoredValue(
///     key: "filter",
///     storage: SQLiteStorageEngine.default(appendingPath: "Notes", namespace: "values"))
///   var filter = Filter()
///
///   func showHidden() async throws { try await $filter.set(\.showsHidden, to: true) }
/// }
/// ```
///
/// Like a ``Store`` it reaches the engine first and memory after that: when a call throws the
/// encoder's or the engine's error, both are as they were. Changes apply in the order in which they were called; one that has been called is
/// finished even if its task is cancelled. Those called while the value loads wait until it has
/// loaded. Wrappers with the same engine, key and type share one value.
///
/// It can be used anywhere; memory changes, and observers are told, on the main actor.
@propertyWrapper
public final class AsyncStoredValue<Item: StorableItem>: Sendable {
  /// The key in the engine.
  public let key: String

  let entry: EngineEntry<Item>
  private let defaultValue: Item

  /// Begins to load what is under `key`, and shows `wrappedValue` until then, or if there is nothing.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value as long as none is set.
  ///   - key: where it is in the engine; kept as it is written here.
  ///   - storage: the engine, with a namespace that no ``Store`` uses.
  public init(wrappedValue: Item, key: String, storage: any StorageEngine) {
    self.key = key
    defaultValue = wrappedValue
    entry = EngineEntry.shared(CacheKey(verbatim: key), in: storage)
    entry.value.register(default: wrappedValue)
  }

  /// Begins to load what is under `key`, and shows nil until then, or if there is nothing.
  public convenience init(key: String, storage: any StorageEngine)
  where Item: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, key: key, storage: storage)
  }

  /// The value; observed by whoever reads it in a tracking scope.
  public var wrappedValue: Item { entry.value.value(default: defaultValue) }

  /// The wrapper itself, by which the value is changed.
  public var projectedValue: AsyncStoredValue<Item> { self }

  /// Why what is in the engine could not be used, until something is set; observed like the value.
  public var loadIssue: LoadIssue? { entry.value.issue }

  /// The value now, then the newest after each change, never two equal ones in a row.
  ///
  /// Values that change faster than they are taken are skipped. The stream ends when the last
  /// wrapper of the value goes away.
  public var values: AsyncStream<Item> { entry.value.values(default: defaultValue) }

  /// Returns when the value has been loaded.
  ///
  /// What cannot be decoded is no error here: it is the ``loadIssue``.
  ///
  /// - Throws: the engine's error if it cannot be read. The next call, and the next change, try again.
  public nonisolated(nonsending) func valueHasLoaded() async throws {
    try await entry.load()
  }

  /// Changes the value: in the engine, then in memory.
  ///
  /// - Throws: what the engine or the encoder throws.
  public nonisolated(nonsending) func set(_ newValue: Item) async throws {
    try await entry.change { _ in newValue }
  }

  /// Goes back to the default and removes the key from the engine.
  ///
  /// - Throws: what the engine throws.
  public nonisolated(nonsending) func reset() async throws {
    try await entry.change { _ in nil }
  }

  /// Changes the value as one step: no other change comes between reading and setting it.
  ///
  /// `change` runs off the caller's actor, after the changes that were called before.
  /// - Throws: what the engine or the encoder throws.
  public nonisolated(nonsending) func update(
    _ change: @escaping @Sendable (inout Item) -> Void
  ) async throws {
    try await entry.change { [defaultValue] stored in
      var item = stored ?? defaultValue
      change(&item)
      return item
    }
  }
}
