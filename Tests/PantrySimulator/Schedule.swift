import CSimulatedDisk
import Glibc

/// One run of a scenario in one order.
struct Schedule {
  /// What came of it.
  struct Outcome {
    var violation: Violation?
    var trace: Trace
    var stepCount: Int
    var calls: [UInt32: Int]
    var faults: [PlannedFault.Kind: Int]
    var pairs: Set<Pair>
  }

  let scenario: Scenario
  let place: String

  /// Runs it to its end.
  func run(isTraced: Bool = false) -> Outcome {
    let scheduler = Scheduler(seed: scenario.orderSeed, isTraced: isTraced)
    Scheduler.current = scheduler
    SimulationDirectory.empty(place)
    if scenario.startsWithTemplate { MainActor.assumeIsolated { Template.copy(to: place) } }
    simulated_disk_seed_sqlite({ _ in Scheduler.current.random.next() }, nil)
    let result = Result()
    var violation: Violation?
    Task { @MainActor in
      let world = World(scenario, in: place)
      result.world = world
      do throws(Violation) {
        try await world.run()
      } catch {
        result.violation = error
      }
      result.isDone = true
    }
    do {
      try scheduler.run { result.isDone }
      violation = result.violation
    } catch {
      violation = error
    }
    let machine = result.world?.machine
    if violation != nil, let world = result.world {
      Task { @MainActor in
        world.giveUp()
        result.isGivenUp = true
      }
      // What waits for ever is left behind.
      try? scheduler.run(limit: 20_000) { result.isGivenUp && result.hasEnded }
    }
    // Its last tasks end, and with them all that they have.
    try? scheduler.run(limit: 1_000) { false }
    machine?.end()
    return Outcome(
      violation: violation, trace: scheduler.trace, stepCount: scheduler.stepCount,
      calls: machine?.calls ?? [:], faults: machine?.faults ?? [:],
      pairs: machine?.pairs ?? [])
  }

  private final class Result: @unchecked Sendable {
    var world: World?
    var violation: Violation?
    var isDone = false
    var isGivenUp = false
    var hasEnded: Bool { MainActor.assumeIsolated { world?.hasEnded ?? true } }
  }
}

/// The directory of the simulated machines.
enum SimulationDirectory {
  /// Makes an empty directory for this process: below TMPDIR, or else in memory.
  static func make() -> String {
    let base =
      getenv("TMPDIR").map { String(cString: $0) }
      ?? (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
    let path = "\(base)/pantry-simulator-\(getpid())"
    mkdir(path, 0o700)
    return path
  }

  /// Removes all files in it.
  static func empty(_ path: String) {
    guard let directory = opendir(path) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      // The directory of values is the only one.
      if unlink("\(path)/\(name)") != 0, errno == EISDIR { remove("\(path)/\(name)") }
    }
  }

  static func remove(_ path: String) {
    empty(path)
    rmdir(path)
  }
}
