internal import Observation

/// What a screen shows of stores, as a sequence: the value now, then the newest after each change.
///
/// Equal values come once, and one that is not taken in time is skipped. What the closure reads is
/// what it depends on: items of several stores, a ``KeyList``, anything observable.
///
/// ```swift
/// let author = Watch { posts[id].flatMap { authors[$0.author] } }
/// for await author in author { show(author) }
/// ```
///
/// The closure runs on the main actor, when a value is asked for and something that it read has
/// changed. What it reads must change on the main actor, unless it is Pantry's, such as a
/// ``StoredValue``: a change of another object on another thread can be missed. The sequence retains
/// what the closure captures; it ends when the task that reads it is canceled.
public struct Watch<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// What was read: the current value first, then each that differs from the one before.
  public typealias Element = Value
  /// A watch does not fail.
  public typealias Failure = Never

  private let read: @MainActor () -> Value?

  /// Watches what `read` returns.
  public init(_ read: @escaping @MainActor () -> Value) {
    self.init(reader: { .some(read()) })
  }

  private init(reader: @escaping @MainActor () -> Value?) {
    read = reader
  }

  /// Watches what `read` returns, without the time in which it is nil: then it is not known.
  static func known(_ read: @escaping @MainActor () -> Value?) -> Watch { Watch(reader: read) }

  /// Begins to watch; each iterator has a first value of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(WatchReader(read)) }

  /// Gives one value after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: WatchReader<Value>

    init(_ reader: WatchReader<Value>) { self.reader = reader }

    /// Returns when there is a value that is not the one before; nil when the task is cancelled.
    public func next(isolation actor: isolated (any Actor)?) async -> Value? {
      await reader.next()
    }
  }
}

extension Store {
  /// The item with this identifier, now and after each change of it; nil while there is none.
  ///
  /// The first value comes when the store has loaded. No other item makes it read anything.
  public func watch(_ identifier: String) -> Watch<Item?> {
    Watch.known { self.hasLoaded ? .some(self[identifier]) : nil }
  }

  /// The items with these identifiers in the order given, now and after each change of one of them.
  ///
  /// Those that are not there are left out. The first value comes when the store has loaded.
  public func watch(_ identifiers: some Sequence<String>) -> Watch<[Item]> {
    let identifiers = Array(identifiers)
    return Watch.known { self.hasLoaded ? self[identifiers] : nil }
  }
}
