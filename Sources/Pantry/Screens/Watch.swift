internal import Observation

/// A sequence of the current value of a closure, then the newest after each change.
///
/// Equal values come once, and a slow reader skips values. The closure depends on everything it
/// reads: items of several stores, a ``KeyList``, anything observable.
///
/// ```swift
/// let author = Watch { posts[id].flatMap { authors[$0.author] } }
/// for await author in author { show(author) }
/// ```
///
/// The closure runs on the main actor, when a value is requested and something that it read has
/// changed. Objects that it reads must change on the main actor, unless they are Pantry's, such as
/// a ``StoredValue``: a change of another object on another thread can be missed. The sequence
/// retains the closure's captures; it ends when the reading task is canceled.
public struct Watch<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  private let read: @MainActor () -> Value?

  /// Watches the result of `read`.
  public init(_ read: @escaping @MainActor () -> Value) {
    self.init(reader: { .some(read()) })
  }

  private init(reader: @escaping @MainActor () -> Value?) {
    read = reader
  }

  /// Watches the result of `read`, waiting while it is nil, which means unknown.
  static func known(_ read: @escaping @MainActor () -> Value?) -> Watch { Watch(reader: read) }

  /// Starts watching; each iterator has a first value of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(WatchReader(read)) }

  /// Delivers the values, one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: WatchReader<Value>

    init(_ reader: WatchReader<Value>) { self.reader = reader }

    /// Waits for a value that differs from the previous one; nil when the task is canceled.
    public func next(isolation actor: isolated (any Actor)?) async -> Value? {
      await reader.next()
    }
  }
}

extension Store {
  /// Watches the item with this identifier: now and after each change; nil while there is none.
  ///
  /// The first value comes when the store has loaded. Changes of other items cost nothing.
  public func watch(_ identifier: some ItemIdentifier) -> Watch<Item?> {
    Watch.known { self.hasLoaded ? .some(self[identifier]) : nil }
  }

  /// Watches the items with these identifiers, in the order given: now and after each change.
  ///
  /// Missing items are skipped. The first value comes when the store has loaded.
  public func watch<ID: ItemIdentifier>(_ identifiers: some Sequence<ID>) -> Watch<[Item]> {
    let identifiers = Array(identifiers)
    return Watch.known { self.hasLoaded ? self[identifiers] : nil }
  }
}
