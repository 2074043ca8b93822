package import Dispatch

/// Runs an actor's jobs, one at a time, on a queue of its own.
///
/// Disk and decoding block their thread. Swift's cooperative pool has one thread per core, so an
/// actor that blocks there delays every other task; on a queue of its own it delays none.
package final class QueueExecutor: SerialExecutor {
  /// The queue; work put there directly never overlaps the actor's own.
  package let queue: any WorkQueue

  /// Creates an executor on a new serial queue of the system.
  package convenience init(label: String, qos: DispatchQoS = .default) {
    self.init(DispatchWorkQueue(label: label, qos: qos))
  }

  package init(_ queue: any WorkQueue) { self.queue = queue }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func checkIsolated() { queue.requireCurrent() }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
