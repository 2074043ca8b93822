internal import SystemSupport

/// One value of a file in memory, and the changes that its file does not have yet.
///
/// The changes are made again on what the file has by then, which may be another process's.
final class FileEntry<Item: StorableItem>: Sendable {
  typealias Change = @Sendable (_ stored: Item?) -> Item?

  /// The number of changes that are kept for a file that cannot be written.
  private static var mostPending: Int { 10_000 }

  let value: ObservedValue<Item>
  let key: ValueKey
  private let file: ValueFile
  /// The changes, and whether each makes the same of any stored value.
  private let pending = Lock<[(make: Change, isReplacing: Bool)]>([])

  /// Reads the value in `file`.
  init(_ file: ValueFile, _ key: ValueKey) {
    self.file = file
    self.key = key
    do throws(LoadIssue) {
      value = ObservedValue(stored: try file.read())
    } catch {
      value = ObservedValue(issue: error)
    }
  }

  /// Changes the value in memory, and enqueues the change of the file.
  ///
  /// - Parameter replacing: whether a value that cannot be read counts as not set.
  func change(
    replacing: Bool = false, in registry: ValueRegistry, _ change: @escaping Change
  ) {
    value.change(endingIssue: replacing, change) { _ in
      pending.withLock { $0.append((change, replacing)) }
      // Retains the entry until then, so that a new wrapper finds it rather than the old file.
      registry.save(key) { try self.write(beforeChange: $0) }
    }
  }

  /// Makes the pending changes in the file, and shows the result; called by one thread at a time.
  private func write(beforeChange: (@Sendable (FolderChange) throws -> Void)?) throws {
    let changes = pending.withLock(\.self)
    // The file has them; what failed was to flush its name.
    guard !changes.isEmpty else { return try file.flush(beforeChange: beforeChange) }
    var made: Item??
    let result = Result {
      try file.change(
        replacing: changes.contains(where: \.isReplacing), beforeChange: beforeChange
      ) { stored in
        changes.reduce(stored) { $1.make($0) }
      } made: {
        made = .some($0)
      }
    }
    value.change(endingIssue: made != nil) { stored in
      pending.withLock { pending in
        if let new = made {
          pending.removeFirst(changes.count)
          return pending.reduce(new) { $1.make($0) }
        }
        if pending.count > Self.mostPending {
          pending = [({ @Sendable _ in stored }, pending.contains(where: \.isReplacing))]
        }
        return stored
      }
    }
    try result.get()
  }
}
