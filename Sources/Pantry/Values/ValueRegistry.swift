internal import SystemSupport

/// Shares the values of one process among its wrappers, and writes their changes to disk.
///
/// Two registries are independent, like two processes.
final class ValueRegistry: Sendable {
  static var shared: ValueRegistry { ProcessContext.current.object { ValueRegistry() } }

  /// Writes one file; called with `beforeChange`.
  typealias Write = @Sendable ((@Sendable (FolderChange) throws -> Void)?) throws -> Void

  private struct Writing {
    /// The newest change of each value until it is on disk, the oldest first.
    var changes: [(key: ValueKey, write: Write)] = []
    /// Whether the changes are written when the process ends.
    var areWrittenAtExit = false
    /// The errors of the last attempts.
    var failures: [ValueKey: any Error] = [:]
  }

  private let values = WeakTable<ValueKey>()
  private let writing = Lock(Writing())
  private let services: any ProcessServices
  private let queue: any WorkQueue
  private let beforeChange: (@Sendable (FolderChange) throws -> Void)?

  /// Creates a registry without values.
  ///
  /// - Parameter beforeChange: called before each change to the disk; an error it throws replaces
  ///   the change.
  init(beforeChange: (@Sendable (FolderChange) throws -> Void)? = nil) {
    self.beforeChange = beforeChange
    services = ProcessContext.current.services
    queue = services.queue(label: "Pantry.ValueRegistry", isUrgent: false)
  }

  /// The value of `file`, read unless a wrapper in this process has it.
  func entry<Item: StorableItem>(of file: ValueFile) -> FileEntry<Item> {
    let key = ValueKey(path: Name(file.path), type: ObjectIdentifier(Item.self))
    return values.object(key) { FileEntry(file, key) }
  }

  /// Enqueues `write`, replacing a pending change of the same value; returns at once.
  func save(_ key: ValueKey, write: @escaping Write) {
    writing.withLock { writing in
      writing.changes.removeAll { $0.key == key }
      writing.changes.append((key, write))
      guard !writing.areWrittenAtExit else { return }
      // Within the lock, so that no other thread ends the process in between.
      writing.areWrittenAtExit = true
      services.atExit { [weak self] in self?.writePending() }
    }
    queue.async { self.writeChanges() }
  }

  /// Returns when all earlier changes are on disk; retries failed ones.
  ///
  /// - Throws: why the value of `key` is not on disk.
  func flush(_ key: ValueKey) async throws {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        self.writeChanges()
        continuation.resume(with: self.failure(key).map { .failure($0) } ?? .success(()))
      }
    }
  }

  /// Writes all earlier changes before it returns.
  private func writePending() { queue.sync { writeChanges() } }

  /// The error of the last attempt to write the value of `key`.
  func failure(_ key: ValueKey) -> (any Error)? {
    writing.withLock { $0.failures[key] }
  }

  private func writeChanges() {
    let changes = writing.withLock { writing in
      defer { writing.changes = [] }
      return writing.changes
    }
    for (key, write) in changes {
      let failure: (any Error)?
      do {
        try write(beforeChange)
        failure = nil
      } catch {
        failure = error
      }
      writing.withLock { writing in
        writing.failures[key] = failure
        if failure != nil, !writing.changes.contains(where: { $0.key == key }) {
          writing.changes.append((key, write))
        }
      }
    }
  }
}

/// Identifies a value in the process; each type has its own value under a key.
struct ValueKey: Hashable, Sendable {
  let path: Name
  let type: ObjectIdentifier
}
