package import Dispatch

/// Runs an actor's jobs, one at a time, on a dispatch queue of its own.
///
/// Disk and decoding block their thread. Swift's cooperative pool has one thread per core, so an
/// actor that blocks there delays every other task; on a queue of its own it delays none.
package final class QueueExecutor: SerialExecutor {
  /// The queue; work dispatched to it directly never overlaps the actor's own.
  package let queue: DispatchQueue

  /// Creates an executor on a new serial queue.
  package init(label: String, qos: DispatchQoS = .userInitiated) {
    queue = DispatchQueue(label: label, qos: qos)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
