internal import SystemSupport

/// Sends elements to any number of subscribers, each with a stream of its own.
///
/// A subscriber that is canceled or releases its stream is removed. The streams end when the
/// broadcast is deallocated.
final class Broadcast<Element: Sendable>: Sendable {
  private struct Subscribers {
    var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    var nextNumber = 0
  }

  private let subscribers = Lock(Subscribers())

  deinit {
    let continuations = subscribers.withLock { $0.continuations }
    for continuation in continuations.values { continuation.finish() }
  }

  var subscriberCount: Int { subscribers.withLock { $0.continuations.count } }

  /// Returns a stream of `elements`, followed by all elements sent from now on.
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

  /// Sends `element` to all subscribers; callers ensure the order.
  func send(_ element: Element) {
    // Outside the lock: a stream that ends meanwhile calls back.
    let continuations = subscribers.withLock { $0.continuations }
    for continuation in continuations.values { continuation.yield(element) }
  }

  private func forget(_ number: Int) {
    // Released after the lock: its end may run a subscriber's code.
    _ = subscribers.withLock { $0.continuations.removeValue(forKey: number) }
  }
}
