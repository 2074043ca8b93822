import CSimulatedDisk
import FoundationEssentials
@testable import Pantry
import SystemSupport

/// One of several processes in this one, with its own queues, clock, disk calls and objects.
final class SimulatedProcess: ProcessServices, @unchecked Sendable {
  let name: String
  let machine: SimulatedMachine
  private(set) var context: ProcessContext!
  private var files: OpaquePointer?
  private var fileSystemName = ""
  private(set) var isDead = false
  /// What its clock differs from the right time.
  var clockError = Duration.zero
  /// The fault of a coming call to the disk.
  var fault: PlannedFault?
  /// The fault after it.
  var nextFault: PlannedFault?
  /// What happens to the next commits to a server.
  var fates: [Fate] = []
  /// The call to the file of a value that fails or kills the process, after others.
  var fileFault: (skipped: Int, kills: Bool)?
  /// Called when a fault comes that can lose data.
  var struck: (Pair.Fault) -> Void = { _ in }
  /// Whether a new file of a value has bytes that are not flushed.
  private var hasNewFile = false
  private var exitWork: [@Sendable () -> Void] = []

  let sizes: WorkSizes
  private var scheduler: Scheduler { .current }

  init(name: String, on machine: SimulatedMachine, hasSmallParts: Bool) {
    self.name = name
    self.machine = machine
    var sizes = WorkSizes()
    if hasSmallParts {
      (sizes.page, sizes.slice, sizes.changeInPlace, sizes.keptChanges) = (2, 1, 1, 3)
    }
    self.sizes = sizes
    context = ProcessContext(self)
    var callbacks = simulated_callbacks()
    callbacks.context = Unmanaged.passUnretained(self).toOpaque()
    callbacks.decide = { context, call, file, offset, count in
      SimulatedProcess.of(context).decide(call, file, count: Int(count))
    }
    callbacks.random = { SimulatedProcess.of($0).random() }
    callbacks.milliseconds = { Int64(SimulatedProcess.of($0).now.timeIntervalSince1970 * 1_000) }
    callbacks.sleep = { SimulatedProcess.of($0).pause(for: .microseconds(Int64($1))) }
    files = simulated_process_start(machine.disk, callbacks)
    fileSystemName = String(cString: simulated_process_vfs_name(files))
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> SimulatedProcess {
    Unmanaged.fromOpaque(context!).takeUnretainedValue()
  }

  /// Ends the process as kill -9 would: its later calls have no effect.
  ///
  /// Its tasks go on, and fail, until they have ended.
  func kill() {
    guard !isDead else { return }
    noteDeath()
    simulated_process_kill(files)
  }

  private func noteDeath() {
    isDead = true
    scheduler.trace.note("\(name) dies")
  }

  /// Releases the file system, once all files are closed; false if one is open.
  func end() -> Bool {
    guard files != nil else { return true }
    guard simulated_process_open_files(files) == 0 else { return false }
    simulated_process_end(files)
    files = nil
    // The context has this object as its services.
    context = nil
    exitWork = []
    return true
  }

  /// Runs the work of `exit`.
  func exit() {
    for work in exitWork { context.run(work) }
    exitWork = []
  }

  // MARK: A server

  /// What happens to a commit.
  enum Fate {
    case answered, lost, madeAndAnswerLost
  }

  /// Returns what happens to the next commit.
  func takeFate() -> Fate {
    guard !fates.isEmpty else { return .answered }
    let fate = fates.removeFirst()
    switch fate {
    case .answered: break
    case .lost: struck(.requestLost)
    case .madeAndAnswerLost: struck(.answerLost)
    }
    return fate
  }

  // MARK: The disk

  private func decide(_ call: simulated_call, _ file: simulated_file, count: Int) -> Int32 {
    guard call != SIMULATED_ACCESS else { return 0 }
    machine.note(call, file)
    scheduler.trace.note("\(name) \(call.name) \(file.name) \(count)")
    guard let fault, fault.concerns(call, file) else { return 0 }
    guard fault.skipped > 0 else {
      self.fault = fault.repeats > 1 ? fault.repeated() : nextFault
      if fault.repeats <= 1 { nextFault = nil }
      scheduler.trace.note("\(name) fault \(fault.kind)")
      machine.note(fault.kind)
      switch fault.kind {
      case .kill(let verdict):
        struck(.killed)
        noteDeath()
        return verdict
      case .failure(let code):
        if code == SQLiteCode.syncError { struck(.failedFlush) }
        if call == SIMULATED_WRITE { struck(.failedWrite) }
        return code
      }
    }
    self.fault?.skipped -= 1
    return 0
  }

  /// Decides what happens to a change of the file of a value.
  ///
  /// - Throws: if it is not made.
  func decide(_ change: FolderChange) throws {
    struct NotMade: Error {}
    if isDead { throw NotMade() }
    guard let fault = fileFault else { return note(change) }
    fileFault = fault.skipped > 0 ? (fault.skipped - 1, fault.kills) : nil
    guard fault.skipped == 0 else { return note(change) }
    scheduler.trace.note("\(name) \(change) \(fault.kills ? "kills" : "fails")")
    if fault.kills {
      struck(.killed)
      kill()
    } else if case .flush = change {
      struck(.failedFlush)
    } else {
      struck(.failedWrite)
    }
    throw NotMade()
  }

  /// Notes a change that is made: the bytes of a file and its name are flushed one after the other.
  private func note(_ change: FolderChange) {
    switch change {
    case .write: hasNewFile = true
    case .flush where hasNewFile: hasNewFile = false
    case .flush: machine.noteFlushOfNames()
    case .rename(let name):
      precondition(!hasNewFile, "a file gets its name before its bytes are flushed")
      machine.noteRename(
        to: machine.directory + "/" + ValueFile.directoryName("values.json") + "/" + name)
    case .remove: hasNewFile = false
    }
  }

  // MARK: Services

  func queue(label: String, isUrgent: Bool) -> any WorkQueue {
    SimulatedQueue(label: "\(name) \(label)", context: context)
  }

  func runInBackground(_ work: @escaping @Sendable () -> Void) {
    scheduler.addFree { self.context.run(work) }
  }

  var now: Date {
    let time = scheduler.uptime + clockError
    return Date(timeIntervalSince1970: 1_800_000_000 + Double(time.milliseconds) / 1_000)
  }

  var uptime: Duration { scheduler.uptime }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { sleeper.sleep(for: duration, $0) }
    } onCancel: {
      sleeper.cancel()
    }
  }

  func pause(for duration: Duration) { scheduler.uptime += duration }

  func random() -> UInt64 { scheduler.random.next() }

  func watch(
    _ directory: String, on queue: any WorkQueue,
    handler: @escaping @Sendable (DirectoryEvents) -> Void
  ) -> (any DirectoryWatch)? {
    machine.watch(on: queue, handler)
  }

  var sqliteFileSystem: String? { fileSystemName }

  func freeByteCount(at path: String) -> Int { 1 << 40 }

  func atExit(_ work: @escaping @Sendable () -> Void) { exitWork.append(work) }
}

/// A task that sleeps.
private final class Sleeper: @unchecked Sendable {
  private var continuation: CheckedContinuation<Void, any Error>?
  private var timer = 0

  func sleep(for duration: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
    self.continuation = continuation
    timer = Scheduler.current.addTimer(after: duration) { self.end(.success(())) }
  }

  func cancel() {
    if Scheduler.current.removeTimer(timer) { end(.failure(CancellationError())) }
  }

  private func end(_ result: Result<Void, any Error>) {
    continuation?.resume(with: result)
    continuation = nil
  }
}
