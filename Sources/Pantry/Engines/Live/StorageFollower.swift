internal import Synchronization

/// How far one reader of a storage has followed what is written there.
final class StorageFollower: Sendable {
  /// A moment in the life of a storage.
  struct Moment: Equatable, Sendable {
    /// Which file it was: one that takes the place of another has a history of its own.
    var file: Int
    /// The number of the last change before it.
    var change: Int64
    /// The number of the key space, whatever it is called; nil where there is but one.
    var namespace: Int64?
  }

  private let moment = Mutex<Moment?>(nil)
  private let onChange: @Sendable () -> Void

  init(onChange: @escaping @Sendable () -> Void) {
    self.onChange = onChange
  }

  /// Up to where it has read; nil before it has read anything.
  var reached: Moment? {
    get { moment.withLock(\.self) }
    set { moment.withLock { $0 = newValue } }
  }

  /// Whether it has read up to a moment of a file.
  func hasReached(_ other: Moment) -> Bool {
    guard let reached, reached.file == other.file else { return false }
    return reached.change >= other.change
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
