import Pantry
import SystemSupport

/// A serial queue of a simulated process.
final class SimulatedQueue: WorkQueue, @unchecked Sendable {
  let label: String
  /// Weak, since the context has objects that have queues; gone once the process has ended.
  private weak var context: ProcessContext?
  private var work: [@Sendable () -> Void] = []
  private var scheduler: Scheduler { .current }

  init(label: String, context: ProcessContext) {
    self.label = label
    self.context = context
  }

  func async(_ work: @escaping @Sendable () -> Void) {
    if self.work.isEmpty { scheduler.addReady(self) }
    self.work.append(work)
  }

  func async(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    scheduler.addTimer(after: delay) { self.async(work) }
  }

  func sync<Result>(_ work: () throws -> Result) rethrows -> Result {
    precondition(!scheduler.running.contains { $0 === self }, "a queue waits for itself: \(label)")
    // The caller waits for all earlier work.
    while !self.work.isEmpty { runNext() }
    scheduler.running.append(self)
    defer { scheduler.running.removeLast() }
    return try context?.run(work) ?? work()
  }

  func requireCurrent() {
    precondition(scheduler.running.last === self, "\(label) is not the running queue")
  }

  /// Runs the first piece of work.
  func runNext() {
    let next = work.removeFirst()
    if work.isEmpty { scheduler.removeReady(self) }
    scheduler.running.append(self)
    defer { scheduler.running.removeLast() }
    context?.run(next) ?? next()
  }
}
