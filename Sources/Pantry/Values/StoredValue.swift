/// Keeps one small value, such as a setting, in memory and in a JSON file.
///
/// ```swift
/// @MainActor @Observable final class AppState {
///   @ObservationIgnored @StoredValue(key: "fundingPanelIsOpen") var fundingPanelIsOpen = true
/// }
/// state.$fundingPanelIsOpen.toggle()
/// ```
///
/// A change is in memory, and told to observers on the caller's thread, when the call returns. The
/// file is written behind it on a queue, and ``flush()`` waits for that. Wrappers with the same
/// directory, file, key and type share one value. What another process writes under a key is seen
/// after a relaunch; what it writes under other keys survives.
///
/// Each value has a file of its own with mode 0600, `values.json.d/funding_panel_is_open.json`, which
/// is replaced as a whole and never half written. One that cannot be read or decoded reads as the
/// default and stays until another value is set. If it is no JSON object, it is kept beside the new
/// one (`funding_panel_is_open.json.corrupt`).
///
/// Pantry 0.1.0 kept all values in `values.json`. A value that has no file of its own is read
/// from there. That file is never changed.
@propertyWrapper
public final class StoredValue<Item: StorableItem>: Sendable {
  /// The name of the value in its directory.
  public let key: String

  let value: ObservedValue<Item>
  private let file: ValueFile
  private let registry: ValueRegistry
  private let defaultValue: Item

  /// Reads the value under `key` at once, or shows `wrappedValue` if there is none.
  ///
  /// It reads one or two small files on the caller's thread, unless another wrapper has the value.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value as long as none is set.
  ///   - key: its name, any text.
  ///   - directory: where the directory of values is; both are created (0700) by the first write. By
  ///     default ``StorageDirectory/programState(fileID:)``.
  ///   - file: the name of the file, without a slash, in which Pantry 0.1.0 kept all values;
  ///     `.d` after it makes the name of the directory of values.
  ///   - fileID: the code whose module names the default directory.
  public convenience init(
    wrappedValue: Item, key: String,
    directory: StorageDirectory? = nil,
    file: String = "values.json", fileID: String = #fileID
  ) {
    self.init(
      wrappedValue: wrappedValue, key: key,
      directory: directory ?? .programState(fileID: fileID), file: file, registry: .shared)
  }

  /// Reads the value under `key` at once, or shows nil if there is none.
  ///
  /// For `@StoredValue<Prefs?>(key: "prefs") var prefs`.
  ///
  /// - Parameters:
  ///   - key: its name, any text.
  ///   - directory: where the directory of values is.
  ///   - file: the name of the file of Pantry 0.1.0, as above.
  ///   - fileID: the code whose module names the default directory.
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
    self.file = ValueFile(key, of: file, in: directory)
    self.registry = registry
    defaultValue = wrappedValue
    value = registry.value(in: self.file)
    value.register(default: wrappedValue)
  }

  /// The value; observed by whoever reads it in a tracking scope.
  public var wrappedValue: Item { value.value(default: defaultValue) }

  /// The wrapper itself, by which the value is changed.
  public var projectedValue: StoredValue<Item> { self }

  /// Why what is in the file could not be used, until something is set; observed like the value.
  public var loadIssue: LoadIssue? { value.issue }

  /// Why the newest change is not on the disk, until a later attempt succeeds; not observed.
  ///
  /// Nil while the first attempt has not ended: ``flush()`` waits for it, and throws the same.
  public var lastError: (any Error)? { registry.failure(file) }

  /// The value now, then the newest after each change, never two equal ones in a row.
  ///
  /// Values that change faster than they are taken are skipped. The stream ends when the last
  /// wrapper of the value goes away.
  public var values: AsyncStream<Item> { value.values(default: defaultValue) }

  /// Changes the value, now in memory and soon in the file.
  ///
  /// - Parameter newValue: what is set.
  public func set(_ newValue: Item) {
    change { _ in newValue }
  }

  /// Goes back to the default, also at the next launch.
  public func reset() {
    change { _ in nil }
  }

  /// Returns when what was set before is on the disk; what could not be written is tried again.
  ///
  /// It writes every value that waits, so one call before the program ends is enough.
  ///
  /// - Throws: `DiskError`, `StorageError` or `EncodingError`: why it is not on the disk. The value
  ///   in memory stays, and the next change or flush tries again.
  public func flush() async throws {
    try await registry.flush(file)
  }

  /// Changes the value as one step: no other change comes between reading and setting it.
  ///
  /// - Parameter change: is called once, at once; it must not use the wrapper.
  public func update(_ change: (inout Item) -> Void) {
    self.change { stored in
      var item = stored ?? defaultValue
      change(&item)
      return item
    }
  }

  private func change(_ change: (Item?) -> Item?) {
    value.change(change) { [value, file, registry] stored in
      // It holds the value until then, so that a new wrapper finds it rather than the old file.
      registry.save(file) { beforeChange in
        try withExtendedLifetime(value) { try file.write(stored, beforeChange: beforeChange) }
      }
    }
  }
}
