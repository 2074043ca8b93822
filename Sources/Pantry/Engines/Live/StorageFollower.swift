internal import Synchronization

/// How far one reader of a storage has followed what is written there.
final class StorageFollower: Sendable {
  private let position = Mutex<(any Sendable)?>(nil)
  private let onChange: @Sendable () -> Void

  init(onChange: @escaping @Sendable () -> Void) {
    self.onChange = onChange
  }

  /// Up to where it has read, in whatever terms the engine has; nil before it has read anything.
  var cursor: (any Sendable)? {
    get { position.withLock(\.self) }
    set { position.withLock { $0 = newValue } }
  }

  /// Says that there may be something to read.
  func tell() { onChange() }
}

/// The followers of one storage, which may go away at any time.
final class StorageFollowers: Sendable {
  private struct Entry {
    weak var follower: StorageFollower?
  }

  private let entries = Mutex<[Entry]>([])

  /// Those that are there.
  var all: [StorageFollower] { entries.withLock { $0.compactMap(\.follower) } }

  func insert(_ follower: StorageFollower) {
    entries.withLock { entries in
      entries.removeAll { $0.follower == nil }
      entries.append(Entry(follower: follower))
    }
  }
}
