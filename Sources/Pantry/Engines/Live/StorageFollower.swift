internal import Synchronization

/// One who reads a ``LiveStorage`` and follows what others write to it.
///
/// A ``Store`` makes one and gives it to its engine, which keeps it weakly (``StorageFollowers``),
/// writes down how far it has read, and tells it when there is more.
public final class StorageFollower: Sendable {
  private let position = Mutex<(any Sendable)?>(nil)
  private let onChange: @Sendable () -> Void
  private let onConnection: @Sendable (StorageConnection) -> Void

  /// Creates a follower that has read nothing yet.
  ///
  /// Both closures are called on any thread.
  ///
  /// - Parameters:
  ///   - onConnection: told when the connection to the storage is lost, or there again.
  ///   - onChange: told when there may be something to read.
  public init(
    onConnection: @escaping @Sendable (StorageConnection) -> Void = { _ in },
    onChange: @escaping @Sendable () -> Void
  ) {
    self.onConnection = onConnection
    self.onChange = onChange
  }

  /// Up to where it has read; nil before it has read anything.
  ///
  /// It is the engine's: whatever the engine needs to find what others have written since. The
  /// engine sets it before a call for this follower returns; nobody else looks into it.
  public var cursor: (any Sendable)? {
    get { position.withLock(\.self) }
    set { position.withLock { $0 = newValue } }
  }

  /// Says that there may be something to read; without harm if there is not.
  public func tell() { onChange() }

  /// Says that the connection to the storage was lost, or that it is there again.
  public func tell(_ connection: StorageConnection) { onConnection(connection) }
}

/// Whether an engine reaches its storage.
public enum StorageConnection: Hashable, Sendable {
  /// It does, or it has no reason to think otherwise.
  case connected
  /// It does not, for this reason; it goes on trying.
  case cutOff(reason: String)
}

/// The followers of one storage, which may go away at any time.
public final class StorageFollowers: Sendable {
  private struct Entry {
    weak var follower: StorageFollower?
  }

  private let entries = Mutex<[Entry]>([])

  /// Creates an empty list.
  public init() {}

  /// Those that are there.
  public var all: [StorageFollower] { entries.withLock { $0.compactMap(\.follower) } }

  /// Adds a follower, which is not kept alive.
  public func insert(_ follower: StorageFollower) {
    entries.withLock { entries in
      entries.removeAll { $0.follower == nil }
      entries.append(Entry(follower: follower))
    }
  }
}
