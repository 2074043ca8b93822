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
/// file is written behind it on a queue of its own, and ``flush()`` waits for that. Wrappers with the same file, key and
/// type share one value. What another process writes under a key is seen after a relaunch; what it
/// writes under other keys survives.
///
/// All values of a program are in one file with mode 0600, which is replaced as a whole and never
/// half written. A value in it that cannot be decoded reads as the default and stays until another
/// is set. A file that is no JSON object is renamed (`values.json.corrupt-20261121T053506Z`) before
/// it is written.
@propertyWrapper
public final class StoredValue<Item: StorableItem>: Sendable {
  /// The name of the value in the file.
  public let key: String

  let value: ObservedValue<Item>
  private let file: ValueFile
  private let defaultValue: Item

  /// Reads the value under `key` at once, or shows `wrappedValue` if there is none.
  ///
  /// It reads one small file on the caller's thread, unless another wrapper has the value already.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value as long as none is set.
  ///   - key: its name in the file.
  ///   - directory: where the file is; created (0700) by the first write. By default
  ///     ``StorageDirectory/programState(fileID:)``.
  ///   - file: the name of the file, without a slash.
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
    self.file = registry.file(file, in: directory)
    defaultValue = wrappedValue
    value = self.file.value(key, of: Item.self)
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
  public var lastError: (any Error)? { file.failure(key) }

  /// The value now, then the newest after each change, never two equal ones in a row.
  ///
  /// Values that change faster than they are taken are skipped. The stream ends when the last
  /// wrapper of the value goes away.
  public var values: AsyncStream<Item> { value.values(default: defaultValue) }

  /// Changes the value, now in memory and soon in the file.
  public func set(_ newValue: Item) {
    change { _ in newValue }
  }

  /// Goes back to the default and takes the key out of the file.
  public func reset() {
    change { _ in nil }
  }

  /// Returns when what was set before is on the disk; what could not be written is tried again.
  ///
  /// It writes whatever waits for the same file, so one call before the program ends is enough.
  ///
  /// - Throws: `DiskError`, `StorageError` or `EncodingError`: why it is not on the disk. The value
  ///   in memory stays, and the next change or flush tries again.
  public func flush() async throws {
    try await file.flush(key)
  }

  /// Changes the value as one step: no other change comes between reading and setting it.
  ///
  /// `change` must not use the wrapper.
  public func update(_ change: (inout Item) -> Void) {
    self.change { stored in
      var item = stored ?? defaultValue
      change(&item)
      return item
    }
  }

  private func change(_ change: (Item?) -> Item?) {
    value.change(change) { [key, value, file] stored in
      // It holds the value until then, so that a new wrapper finds it rather than the old file.
      file.write(key) {
        try withExtendedLifetime(value) {
          guard let stored else { return nil }
          return try JSONObjectText.encode(stored)
        }
      }
    }
  }
}
