@_spi(ExperimentalCustomExecutors) import _Concurrency

/// Takes all jobs of the main actor.
final class SimulatedMainExecutor: MainExecutor, @unchecked Sendable {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Scheduler.current.addMain { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func run() throws { preconditionFailure("the scheduler runs the jobs") }
  func stop() {}
  func checkIsolated() {}
}

/// Takes all jobs that no actor's own executor takes.
final class SimulatedGlobalExecutor: TaskExecutor, @unchecked Sendable {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Scheduler.current.addFree { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// The executors of this program.
struct SimulatedExecutors: ExecutorFactory {
  private static let main = SimulatedMainExecutor()
  private static let global = SimulatedGlobalExecutor()

  static var mainExecutor: any MainExecutor { main }
  static var defaultExecutor: any TaskExecutor { global }

  /// Makes them the executors of this program; call it before the first task.
  static func install() { _createExecutors(factory: SimulatedExecutors.self) }
}

typealias DefaultExecutorFactory = SimulatedExecutors
