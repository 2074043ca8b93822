internal import Synchronization

/// Sends elements to any number of subscribers, each with a stream of its own.
///
/// A subscriber that is cancelled, or lets go of its stream, is forgotten. The streams end with the
/// life of the broadcast.
final class Broadcast<Element: Sendable>: Sendable {
  private struct Subscribers {
    var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    var nextNumber = 0
  }

  private let subscribers = Mutex(Subscribers())

  deinit {
    let continuations = subscribers.withLock { $0.continuations }
    for continuation in continuations.values { continuation.finish() }
  }

  /// How many there are that would receive an element now.
  var subscriberCount: Int { subscribers.withLock { $0.continuations.count } }

  /// Begins a stream with `elements`; what is sent from now on follows.
  func subscribe(
    startingWith elements: [Element],
    bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: bufferingPolicy)
    for element in elements { continuation.yield(element) }
    let number = subscribers.withLock {
      $0.nextNumber += 1
      $0.continuations[$0.nextNumber] = continuation
      return $0.nextNumber
    }
    continuation.onTermination = { [weak self] _ in self?.forget(number) }
    return stream
  }

  /// Sends `element` to everybody; callers see to the order.
  func send(_ element: Element) {
    // Not under the lock: a stream that ends meanwhile calls back.
    let continuations = subscribers.withLock { $0.continuations }
    for continuation in continuations.values { continuation.yield(element) }
  }

  private func forget(_ number: Int) {
    // Let go of after the lock: its end may run a subscriber's code.
    _ = subscribers.withLock { $0.continuations.removeValue(forKey: number) }
  }
}
