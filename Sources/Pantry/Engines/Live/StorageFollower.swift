internal import Synchronization

/// How far one reader of a storage has followed what is written there.
final class StorageFollower: Sendable {
  /// A moment in the life of a storage.
  struct Moment: Equatable, Sendable {
    /// Which file it was: one that takes the place of another has a history of its own.
    var file: Int
    /// The number of the last change before it.
    var change: Int64
  }

  /// The key space that it follows.
  let namespace: String
  private let moment = Mutex<Moment?>(nil)
  private let onChange: @Sendable () -> Void

  init(namespace: String, onChange: @escaping @Sendable () -> Void) {
    self.namespace = namespace
    self.onChange = onChange
  }

  /// Up to where it has read; nil before it has read anything.
  var reached: Moment? {
    get { moment.withLock(\.self) }
    set { moment.withLock { $0 = newValue } }
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
