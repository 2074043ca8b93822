package import Dispatch

/// A serial queue: work runs one at a time, in the order in which it came.
///
/// Its own work is dispatched; a tester may put one in place that decides the moment of each.
package protocol WorkQueue: AnyObject, Sendable {
  /// Runs `work` after all earlier work.
  func async(_ work: @escaping @Sendable () -> Void)

  /// Runs `work` in its turn once `delay` has passed.
  func async(after delay: Duration, _ work: @escaping @Sendable () -> Void)

  /// Runs `work` after all earlier work, and waits for it; it must not be called from the queue.
  func sync<Result>(_ work: () throws -> Result) rethrows -> Result

  /// Traps unless the caller is work of this queue.
  func requireCurrent()
}

/// A queue of the system; its use in a child of `fork` ends the child with a sentence.
package final class DispatchWorkQueue: WorkQueue {
  package let dispatch: DispatchQueue

  package init(label: String, qos: DispatchQoS = .default) {
    dispatch = DispatchQueue(label: label, qos: qos)
  }

  package func async(_ work: @escaping @Sendable () -> Void) {
    Forks.requireThreads()
    dispatch.async(execute: work)
  }

  package func async(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    Forks.requireThreads()
    let (seconds, attoseconds) = delay.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    dispatch.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
  }

  package func sync<Result>(_ work: () throws -> Result) rethrows -> Result {
    Forks.requireThreads()
    return try dispatch.sync(execute: work)
  }

  package func requireCurrent() { dispatchPrecondition(condition: .onQueue(dispatch)) }
}
