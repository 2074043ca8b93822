internal import SystemSupport

/// A reader of a ``StorageEngine`` that follows the writes of others.
///
/// A ``Store`` creates one for its engine, which keeps it weakly, maintains its cursor, and
/// notifies it of new changes.
///
/// It can be used from any thread; all members are O(1).
public final class StorageFollower: Sendable {
  private let position = Lock<(any Sendable)?>(nil)
  private let onChange: @Sendable () -> Void
  private let onConnection: @Sendable (StorageConnection) -> Void

  /// Creates a follower without a cursor.
  ///
  /// Both closures are called on any thread.
  ///
  /// - Parameters:
  ///   - onConnection: called when the connection to the storage is lost or restored.
  ///   - onChange: called when there may be changes to read.
  public init(
    onConnection: @escaping @Sendable (StorageConnection) -> Void = { _ in },
    onChange: @escaping @Sendable () -> Void
  ) {
    self.onConnection = onConnection
    self.onChange = onChange
  }

  /// The position up to which it has read; nil before the first read.
  ///
  /// The engine alone defines and reads it: any value that lets it find later changes of others.
  /// The engine sets it before a call for this follower returns.
  public var cursor: (any Sendable)? {
    get { position.withLock(\.self) }
    set { position.withLock { $0 = newValue } }
  }

  /// Notifies the follower that there may be changes to read; harmless if there are none.
  public func tell() { onChange() }

  /// Notifies the follower that the connection to the storage was lost or restored.
  public func tell(_ connection: StorageConnection) { onConnection(connection) }
}

/// Whether an engine reaches its storage.
public enum StorageConnection: Hashable, Sendable {
  /// The storage is reachable, as far as the engine knows.
  case connected
  /// The storage is unreachable, for this reason; the engine keeps trying.
  case cutOff(reason: String)
}

/// The followers of one storage, referenced weakly.
///
/// It can be used from any thread; both members take O(n) for n followers.
package final class StorageFollowers: Sendable {
  private struct Entry {
    weak var follower: StorageFollower?
  }

  private let entries = Lock<[Entry]>([])

  /// Creates an empty list.
  package init() {}

  /// The living followers.
  package var all: [StorageFollower] { entries.withLock { $0.compactMap(\.follower) } }

  /// Adds a follower, without retaining it.
  package func insert(_ follower: StorageFollower) {
    entries.withLock { entries in
      entries.removeAll { $0.follower == nil }
      entries.append(Entry(follower: follower))
    }
  }
}

// MARK: Cursors of keys

/// In one process a cursor is the set of the keys that others have changed.
extension StorageFollowers {
  /// Notifies all followers but one that others have changed rows.
  func note(_ changed: @autoclosure () -> Set<CacheKey>, by author: StorageFollower?) {
    for other in all where other !== author {
      guard let pending = other.cursor as? Set<CacheKey> else { continue }
      other.cursor = pending.union(changed())
      other.tell()
    }
  }
}

extension StorageUpdate {
  /// Reads what a follower has not read: nothing for one that has read nothing, and that depends on
  /// nothing.
  init(
    for follower: StorageFollower, basedOn basis: ReadSet = .everything,
    all: () throws -> [StorageRow], row: (CacheKey) throws -> StorageRow?
  ) rethrows {
    guard let pending = follower.cursor as? Set<CacheKey> else {
      self.init(rows: basis.isNothing ? [] : try all(), isEverything: !basis.isNothing)
      return
    }
    self.init()
    for key in pending {
      if let row = try row(key) { rows.append(row) } else { removed.append(key) }
    }
    rows.sort { $0.position < $1.position }
  }
}
