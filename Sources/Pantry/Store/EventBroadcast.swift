internal import SystemSupport

/// Sends the events of a store to any number of subscribers, each with a bounded queue of its own.
final class EventBroadcast<Item: StorableItem>: Sendable {
  private struct Reference {
    weak var queue: EventQueue<Item>?
  }

  /// Tells subscribers that their queues have events.
  private let wakeUps = Broadcast<Void>()
  private let queues = Lock<[Reference]>([])

  var subscriberCount: Int { wakeUps.subscriberCount }

  /// Returns a stream of `events`, followed by those sent from now on.
  func subscribe(startingWith events: [StoreEvent<Item>]) -> AsyncStream<StoreEvent<Item>> {
    let queue = EventQueue(events)
    queues.withLock { queues in
      queues.removeAll { $0.queue == nil }
      queues.append(Reference(queue: queue))
    }
    let wakeUps = wakeUps.subscribe(startingWith: [], bufferingPolicy: .bufferingNewest(1))
    return AsyncStream {
      var wakeUp = wakeUps.makeAsyncIterator()
      repeat {
        if let event = queue.next() { return event }
      } while await wakeUp.next() != nil
      return queue.next()
    }
  }

  /// Sends the events of one change to all subscribers; callers ensure the order.
  ///
  /// - Parameter items: all items after the change.
  @MainActor
  func send(_ events: [StoreEvent<Item>], of items: [Item]) {
    for queue in queues.withLock({ $0.compactMap(\.queue) }) { queue.append(events, of: items) }
    wakeUps.send(())
  }
}
