/// Keeps one value in any ``StorageEngine``, such as settings in the app's database.
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
/// As in a ``Store``, a change reaches the engine first and then memory: when a call throws the
/// encoder's or the engine's error, both are as they were. Changes apply in the order of their
/// calls; once called, a change finishes even if its task is canceled. Changes called while the
/// value loads wait until it has loaded. Wrappers with the same engine, key and type share one
/// value.
///
/// It can be used from any isolation; memory changes, and observers are notified, on the main
/// actor.
///
/// Reading is O(1), from memory. A change is one transaction of the engine, with the whole value.
@propertyWrapper
public final class AsyncStoredValue<Item: StorableItem>: Sendable {
  /// The key in the engine.
  package let key: String

  let entry: EngineEntry<Item>
  private let defaultValue: Item

  /// Begins to load the value of `key`, and shows `wrappedValue` until then.
  ///
  /// It also shows `wrappedValue` as long as no value is set.
  ///
  /// - Parameters:
  ///   - wrappedValue: the default.
  ///   - key: the key in the engine, used verbatim.
  ///   - storage: the engine, on a namespace that no ``Store`` uses.
  public init(wrappedValue: Item, key: String, storage: any StorageEngine) {
    self.key = key
    defaultValue = wrappedValue
    entry = EngineEntry.shared(CacheKey(verbatim: key), in: storage)
    entry.value.register(default: wrappedValue)
  }

  /// Begins to load the value of `key`, and shows nil until then, or if none is set.
  public convenience init(key: String, storage: any StorageEngine)
  where Item: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, key: key, storage: storage)
  }

  /// The value; observed.
  public var wrappedValue: Item { entry.value.value(default: defaultValue) }

  /// The wrapper itself, which changes the value.
  public var projectedValue: AsyncStoredValue<Item> { self }

  /// The failure to decode the value in the engine; nil once a value is set.
  ///
  /// Observed.
  public var loadIssue: LoadIssue? { entry.value.issue }

  /// A stream of the current value, then the newest after each change, without repetitions.
  ///
  /// A slow reader skips values and gets the newest. The stream ends when the last wrapper of the
  /// value is deallocated.
  public var values: AsyncStream<Item> { entry.value.values(default: defaultValue) }

  /// Returns when the value has been loaded.
  ///
  /// A value that cannot be decoded is no error here: it is reported by ``loadIssue``.
  ///
  /// - Throws: the engine's error if it cannot be read, or a ``StorageError`` if the namespace
  ///   belongs to a store. The next call, and the next change, retry.
  public nonisolated(nonsending) func valueHasLoaded() async throws {
    try await entry.load()
  }

  /// Sets the value: in the engine, then in memory.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func set(_ newValue: Item) async throws {
    try await entry.change(replacing: true) { _ in newValue }
  }

  /// Returns to the default and removes the key from the engine.
  ///
  /// - Throws: the engine's error; then nothing has changed.
  public nonisolated(nonsending) func reset() async throws {
    try await entry.change(replacing: true) { _ in nil }
  }

  /// Reads, changes and writes the stored value as one operation.
  ///
  /// No other change is lost in between, on an engine that other processes may write to (SQLite,
  /// PostgreSQL), one of theirs neither: then `change` is called again with the newer value. A
  /// database of your own is as exact as its `commit(_:basedOn:for:)`.
  ///
  /// `change` runs off the caller's actor, after all earlier changes.
  ///
  /// - Throws: the error of the engine or the encoder, or
  ///   ``StorageError/unreadable(type:key:reason:)`` if a value is stored that cannot be read; then
  ///   nothing has changed.
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
