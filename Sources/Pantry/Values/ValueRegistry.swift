internal import Dispatch
internal import Synchronization

/// Shares the values of one process among its wrappers, and writes their changes to disk.
///
/// Two registries know nothing of each other, like two processes.
final class ValueRegistry: Sendable {
  static let shared = ValueRegistry()

  /// Writes one file; it is called with `beforeChange`.
  typealias Write = @Sendable ((@Sendable (FolderChange) throws -> Void)?) throws -> Void

  private struct Writing {
    /// The newest change of each file, by its path, until it is on disk.
    var changes: [String: Write] = [:]
    /// Why the last attempt left a change there.
    var failures: [String: any Error] = [:]
  }

  private let values = WeakTable<ValueKey>()
  private let writing = Mutex(Writing())
  private let queue = DispatchQueue(label: "Pantry.ValueRegistry", qos: .utility)
  private let beforeChange: (@Sendable (FolderChange) throws -> Void)?

  /// Creates a registry without values.
  ///
  /// - Parameter beforeChange: is called before each change to the disk; what it throws is thrown in
  ///   its place.
  init(beforeChange: (@Sendable (FolderChange) throws -> Void)? = nil) {
    self.beforeChange = beforeChange
  }

  /// The value in `file`, which is read if no wrapper in this process uses it.
  func value<Item: StorableItem>(in file: ValueFile) -> ObservedValue<Item> {
    values.object(ValueKey(path: file.path, type: ObjectIdentifier(Item.self))) {
      do throws(LoadIssue) {
        return ObservedValue(stored: try file.read())
      } catch {
        return ObservedValue(issue: error)
      }
    }
  }

  /// Calls `write` on the queue, unless a newer change of the file comes before; returns at once.
  func save(_ file: ValueFile, write: @escaping Write) {
    writing.withLock { $0.changes[file.path] = write }
    queue.async { self.writeChanges() }
  }

  /// Returns when everything that was changed before is on the disk; tries again what has failed.
  ///
  /// - Throws: why the value in `file` is not on the disk.
  func flush(_ file: ValueFile) async throws {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        self.writeChanges()
        continuation.resume(with: self.failure(file).map { .failure($0) } ?? .success(()))
      }
    }
  }

  /// Why the last attempt to write `file` failed.
  func failure(_ file: ValueFile) -> (any Error)? {
    writing.withLock { $0.failures[file.path] }
  }

  private func writeChanges() {
    let changes = writing.withLock { writing in
      defer { writing.changes = [:] }
      return writing.changes
    }
    for (path, write) in changes {
      let failure: (any Error)?
      do {
        try write(beforeChange)
        failure = nil
      } catch {
        failure = error
      }
      writing.withLock {
        $0.failures[path] = failure
        if failure != nil, $0.changes[path] == nil { $0.changes[path] = write }
      }
    }
  }
}

/// Tells the values of a process apart; under one key each type has its own.
private struct ValueKey: Hashable, Sendable {
  let path: String
  let type: ObjectIdentifier
}
