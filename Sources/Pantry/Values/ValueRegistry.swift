internal import FoundationEssentials

/// Sees to it that the wrappers of one process share each file of values.
///
/// Two registries know nothing of each other, like two processes.
final class ValueRegistry: Sendable {
  static let shared = ValueRegistry()

  private let files = WeakTable<String>()
  private let patience: Duration
  private let now: @Sendable () -> Date
  private let beforeChange: (@Sendable (FolderChange) throws -> Void)?

  /// - Parameters:
  ///   - patience: how long a write waits for another process that has the lock.
  ///   - now: tells the date in the name of a damaged file.
  ///   - beforeChange: is called before each change to the disk; what it throws is thrown in its place.
  init(
    patience: Duration = .seconds(5),
    now: @escaping @Sendable () -> Date = { Date() },
    beforeChange: (@Sendable (FolderChange) throws -> Void)? = nil
  ) {
    self.patience = patience
    self.now = now
    self.beforeChange = beforeChange
  }

  func file(_ name: String, in directory: StorageDirectory) -> ValueFile {
    let path = directory.url.appending(path: name).standardizedFileURL.path(percentEncoded: false)
    return files.object(path) {
      ValueFile(
        name, in: directory, patience: patience, now: now, beforeChange: beforeChange)
    }
  }
}
