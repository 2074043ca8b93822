internal import SystemSupport

/// One value of a file in memory, and the changes that its file does not have yet.
///
/// The changes are made again on what the file has by then, which may be another process's.
final class FileEntry<Item: StorableItem>: Sendable {
  typealias Change = @Sendable (_ stored: Item?) -> Item?

  /// The number of changes that are kept for a file that cannot be written.
  private static var mostPending: Int { 10_000 }

  let value: ObservedValue<Item>
  private let file: ValueFile
  private let pending = Lock<[Change]>([])

  /// Reads the value in `file`.
  init(_ file: ValueFile) {
    self.file = file
    do throws(LoadIssue) {
      value = ObservedValue(stored: try file.read())
    } catch {
      value = ObservedValue(issue: error)
    }
  }

  /// Changes the value in memory, and enqueues the change of the file.
  func change(_ change: @escaping Change, in registry: ValueRegistry) {
    value.change(change) { _ in
      pending.withLock { $0.append(change) }
      // Retains the entry until then, so that a new wrapper finds it rather than the old file.
      registry.save(file) { try self.write(beforeChange: $0) }
    }
  }

  /// Makes the pending changes in the file, and shows the result; called by one thread at a time.
  private func write(beforeChange: (@Sendable (FolderChange) throws -> Void)?) throws {
    let changes = pending.withLock(\.self)
    do {
      let new = try file.change(beforeChange: beforeChange) { stored in
        changes.reduce(stored) { $1($0) }
      }
      value.change { _ in
        pending.withLock { pending in
          pending.removeFirst(changes.count)
          return pending.reduce(new) { $1($0) }
        }
      }
    } catch {
      value.change { stored in
        pending.withLock { if $0.count > Self.mostPending { $0 = [{ _ in stored }] } }
        return stored
      }
      throw error
    }
  }
}
