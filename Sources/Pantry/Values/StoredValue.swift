/// Keeps one small value, such as a setting, in memory and in a JSON file.
///
/// ```swift
/// @MainActor @Observable final class AppState {
///   @ObservationIgnored @StoredValue(key: "fundingPanelIsOpen") var fundingPanelIsOpen = true
/// }
/// state.$fundingPanelIsOpen.toggle()
/// ```
///
/// When a change returns, memory has it, and observers were notified on the caller's thread. The
/// file is written behind it on a queue, at the latest when the program ends, and ``flush()`` waits
/// for that. Wrappers with the same directory, file, key and type share one value. Several
/// processes may change one value: each makes its changes on what the file has, under a lock, so
/// that none is lost; the value of another one shows with the next change here, or after a
/// relaunch. A set or a dictionary may come back from the file in another order: then observers are
/// notified of an equal value once more.
///
/// Each value has a file of its own with mode 0600, `values.json.d/funding_panel_is_open.json`,
/// which is replaced as a whole and never half written. If it cannot be read or decoded, the value
/// is the default, and the file stays until a value is ``set(_:)`` or ``reset()``: other changes
/// are in memory only, and `flush()` throws ``StorageError/unreadable(type:key:reason:)``. A file
/// that is no JSON object is kept beside the new one (`funding_panel_is_open.json.corrupt`).
///
/// Pantry 0.1.0 kept all values in `values.json`. A value without a file of its own is read from
/// there, as by 0.2.0; that file is never changed. Where 0.2.0 has not been, the value has a
/// ``loadIssue``, and `flush()` throws ``StorageError/olderSchema(path:)``.
///
/// It can be used from any thread. Reading is O(1), from memory; a change encodes and writes the
/// whole value on the queue, once for many changes in a row.
@propertyWrapper
public final class StoredValue<Item: StorableItem>: Sendable {
  /// The name of the value in its directory.
  package let key: String

  var value: ObservedValue<Item> { entry.value }

  private let entry: FileEntry<Item>
  private let registry: ValueRegistry
  private let defaultValue: Item

  /// Reads the value of `key` at once; it is `wrappedValue` if none is set.
  ///
  /// Reads one or two small files on the caller's thread, unless another wrapper has the value.
  ///
  /// - Parameters:
  ///   - wrappedValue: the default.
  ///   - key: the name of the value, any text.
  ///   - directory: the directory that contains the directory of values; the first write creates
  ///     both (0700). By default ``StorageDirectory/programState(fileID:)``.
  ///   - file: the name of the file, without a slash, in which Pantry 0.1.0 kept all values; with
  ///     `.d` appended it names the directory of values.
  ///   - fileID: the calling file; its module names the default directory.
  public convenience init(
    wrappedValue: Item, key: String,
    directory: StorageDirectory? = nil,
    file: String = "values.json", fileID: String = #fileID
  ) {
    self.init(
      wrappedValue: wrappedValue, key: key,
      directory: directory ?? .programState(fileID: fileID), file: file, registry: .shared)
  }

  /// Reads the value of `key` at once; it is nil if none is set.
  ///
  /// For `@StoredValue<Prefs?>(key: "prefs") var prefs`.
  ///
  /// - Parameters:
  ///   - key: the name of the value, any text.
  ///   - directory: the directory that contains the directory of values.
  ///   - file: the name of the file of Pantry 0.1.0, as above.
  ///   - fileID: the calling file; its module names the default directory.
  public convenience init(
    key: String,
    directory: StorageDirectory? = nil,
    file: String = "values.json", fileID: String = #fileID
  ) where Item: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, key: key, directory: directory, file: file, fileID: fileID)
  }

  init(
    wrappedValue: Item, key: String, directory: StorageDirectory, file: String = "values.json",
    registry: ValueRegistry
  ) {
    self.key = key
    self.registry = registry
    defaultValue = wrappedValue
    entry = registry.entry(of: ValueFile(key, of: file, in: directory))
    value.register(default: wrappedValue)
  }

  /// The value; observed.
  public var wrappedValue: Item { value.value(default: defaultValue) }

  /// The wrapper itself, which changes the value.
  public var projectedValue: StoredValue<Item> { self }

  /// The failure to decode the file; nil once a value is set or reset.
  ///
  /// Observed.
  public var loadIssue: LoadIssue? { value.issue }

  /// The error of the last write; nil once a later attempt succeeds.
  ///
  /// Not observed.
  ///
  /// Nil before the first attempt has ended: ``flush()`` waits for it, and throws the same error.
  public var lastError: (any Error)? { registry.failure(entry.key) }

  /// A stream of the current value, then the newest after each change, without repetitions.
  ///
  /// A slow reader skips values and gets the newest. The stream ends when the last wrapper of the
  /// value is deallocated.
  public var values: AsyncStream<Item> { value.values(default: defaultValue) }

  /// Sets the value, now in memory and soon in the file.
  ///
  /// - Parameter newValue: the new value.
  public func set(_ newValue: Item) {
    entry.change(replacing: true, in: registry) { _ in newValue }
  }

  /// Returns to the default, also at the next launch.
  public func reset() {
    entry.change(replacing: true, in: registry) { _ in nil }
  }

  /// Returns when all earlier changes are on disk, retrying failed writes.
  ///
  /// It writes all pending values. The end of the program does so too, without errors:
  /// <doc:ConcurrencyAndDurability>.
  ///
  /// - Throws: `FileError`, `StorageError` or `EncodingError`: why this value is not on disk. The
  ///   value in memory stays, and the next change or flush retries.
  public func flush() async throws {
    try await registry.flush(entry.key)
  }

  /// Reads and changes the value; no other change, in this process or another one, is lost.
  ///
  /// - Parameter change: called at once with the value in memory, and again with the one in the
  ///   file when that is written, which another process may have changed; it must not use the
  ///   wrapper.
  public func update(_ change: @escaping @Sendable (inout Item) -> Void) {
    entry.change(in: registry) { [defaultValue] stored in
      var item = stored ?? defaultValue
      change(&item)
      return item
    }
  }
}
