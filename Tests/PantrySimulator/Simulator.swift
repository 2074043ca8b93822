import Glibc

/// Tries random scenarios in random orders until one breaks a promise, or the time is over.
///
///     PantrySimulator --seconds 60 [--seed N] [--trace]
///
/// It begins at the number of the day, or at `--first-seed`. With `--seed` it runs that one alone;
/// with `--pure` the part without tasks and files, and with `--regressions` the scenarios in which
/// faults were found.
///
/// The status is 1 if a promise was broken.
@main
struct Simulator {
  static func main() {
    requireFixedHashes()
    SimulatedExecutors.install()
    let options = Options(CommandLine.arguments.dropFirst())
    let place = SimulationDirectory.make()
    MainActor.assumeIsolated { Template.make(in: place) }
    let isWhole =
      options.runsRegressions
      ? regressions(in: place)
      : options.isPure
        ? MainActor.assumeIsolated { pure(options) }
        : options.seed.map { one($0, options, in: place) } ?? many(options, in: place)
    SimulationDirectory.remove(place)
    exit(isWhole ? 0 : 1)
  }

  /// Runs this program again with fixed seeds of hashes, which the order in a set depends on.
  private static func requireFixedHashes() {
    guard getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
    arguments.append(nil)
    execv("/proc/self/exe", arguments)
    preconditionFailure("the program could not be run again")
  }

  private static func one(_ seed: UInt64, _ options: Options, in place: String) -> Bool {
    let schedule = Schedule(scenario: Scenario(seed: seed), place: place)
    writeLine(schedule.scenario)
    let first = schedule.run(isTraced: true)
    if options.isTraced { for line in first.trace.lines { writeLine(line) } }
    writeLine(
      "seed \(seed): \(first.stepCount) steps, trace \(String(first.trace.digest, radix: 16))")
    guard let violation = first.violation else { return true }
    writeLine("violated: \(violation)")
    report(schedule.scenario, violation, seed: seed, in: place)
    return false
  }

  /// Runs the scenarios in which faults were found.
  private static func regressions(in place: String) -> Bool {
    var isWhole = true
    for regression in Regression.all {
      if let (seed, violation) = regression.run(in: place) {
        writeLine("\(regression.name): order \(seed) violated: \(violation)")
        isWhole = false
      } else {
        writeLine("\(regression.name): \(Regression.orderCount) orders")
      }
    }
    return isWhole
  }

  /// Runs optimistic changes on a table, without tasks and files.
  @MainActor
  private static func pure(_ options: Options) -> Bool {
    let start = uptime()
    var seed = options.firstSeed
    var count = 0
    while options.count.map({ count < $0 })
      ?? (count % 1_024 > 0 || uptime() - start < options.seconds)
    {
      CrashReport.seed = seed
      var run = PureRun(seed: seed)
      if let violation = run.run() {
        writeLine("seed \(seed) violated: \(violation)")
        writeLine("make simulate ARGS=\"--pure --first-seed \(seed) --count 1\" runs it again")
        return false
      }
      seed += 1
      count += 1
    }
    writeLine(
      "\(count) runs, \(Int(Double(count) / (uptime() - start))) a second: no promise broken")
    return true
  }

  /// The time in seconds since a moment in the past.
  private static func uptime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func many(_ options: Options, in place: String) -> Bool {
    let start = uptime()
    var tally = Tally()
    var seed = options.firstSeed
    // Before the first, which may crash or never end.
    writeLine("from seed \(seed)")
    while options.count.map({ tally.count < $0 }) ?? (uptime() - start < options.seconds) {
      let scenario = Scenario(seed: seed)
      CrashReport.seed = seed
      let outcome = Schedule(scenario: scenario, place: place).run()
      tally.add(scenario, outcome)
      if let violation = outcome.violation {
        writeLine("seed \(seed) violated: \(violation)")
        writeLine(again(seed))
        if options.isBrief { return false }
        report(scenario, violation, seed: seed, in: place)
        return false
      }
      seed += 1
    }
    tally.print(seconds: uptime() - start, firstSeed: options.firstSeed)
    return true
  }

  private static func report(
    _ scenario: Scenario, _ violation: Violation, seed: UInt64, in place: String
  ) {
    var shrinking = Shrinking(in: place)
    let (shortest, reason) = shrinking.shrink(scenario, violation)
    writeLine("the shortest scenario that fails, after \(shrinking.runCount) runs:")
    writeLine(shortest)
    writeLine("violated: \(reason)")
    writeLine("its trace:")
    for line in Schedule(scenario: shortest, place: place).run(isTraced: true).trace.lines {
      writeLine("  \(line)")
    }
    writeLine(again(seed))
  }

  /// How to run a seed once more.
  private static func again(_ seed: UInt64) -> String { "make simulate SEED=\(seed) runs it again" }
}

/// Prints a line at once, which a failed precondition would keep from a buffer.
func writeLine(_ line: some CustomStringConvertible) {
  let bytes = Array((line.description + "\n").utf8)
  _ = write(STDOUT_FILENO, bytes, bytes.count)
}

/// What the user asks for.
struct Options {
  var seconds = 60.0
  var seed: UInt64?
  /// By default that of the day, a million further each day: a run of one day repeats, and no two
  /// days try the same schedules.
  var firstSeed = UInt64(time(nil) / 86_400) * 1_000_000
  var count: Int?
  var isTraced = false
  var runsRegressions = false
  /// Whether a violation is not cut down.
  var isBrief = false
  /// Whether only the part without tasks and files is run.
  var isPure = false

  init(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let word = rest.popFirst() {
      switch word {
      case "--trace": isTraced = true
      case "--regressions": runsRegressions = true
      case "--brief": isBrief = true
      case "--pure": isPure = true
      case "--seconds": seconds = rest.popFirst().flatMap(Double.init) ?? seconds
      case "--seed": seed = rest.popFirst().flatMap { UInt64($0) }
      case "--first-seed": firstSeed = rest.popFirst().flatMap { UInt64($0) } ?? firstSeed
      case "--count": count = rest.popFirst().flatMap { Int($0) }
      default:
        writeLine("PantrySimulator: unknown word \(word)")
        exit(2)
      }
    }
  }
}

/// Names the seed if a precondition fails.
enum CrashReport {
  nonisolated(unsafe) static var seed: UInt64 = 0 {
    didSet { if oldValue == 0 { install() } }
  }

  private static func install() {
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT] {
      signal(number) { number in
        // Only calls that a handler of signals may make (man 7 signal-safety).
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { digits in
          var count = 0
          var rest = CrashReport.seed
          repeat {
            count += 1
            digits[digits.count - count] = UInt8(48 + rest % 10)
            rest /= 10
          } while rest > 0
          let number = digits.baseAddress! + digits.count - count
          _ = write(STDOUT_FILENO, "seed ", 5)
          _ = write(STDOUT_FILENO, number, count)
          _ = write(STDOUT_FILENO, " crashed\nmake simulate SEED=", 28)
          _ = write(STDOUT_FILENO, number, count)
          _ = write(STDOUT_FILENO, " runs it again\n", 15)
        }
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }
}

/// What the schedules had, so that each kind of event is known to occur.
struct Tally {
  private(set) var count = 0
  private var steps = 0
  private var events: [String: Int] = [:]
  private var pairs: [Pair: Int] = [:]

  mutating func add(_ scenario: Scenario, _ outcome: Schedule.Outcome) {
    count += 1
    steps += outcome.stepCount
    var seen: Set<String> = []
    for epoch in scenario.epochs {
      if epoch.endsWithPowerFailure { seen.insert("power failure") }
      if let move = epoch.move { seen.insert("file \(move.kind)") }
      if let damage = epoch.damage { seen.insert("damaged by \(damage.kind)") }
      if epoch.processes.count > 1 { seen.insert("several processes") }
      for process in epoch.processes {
        if process.clockError != 0 { seen.insert("clock jump") }
        if process.exits { seen.insert("exit") }
        if process.stepsToKill != nil { seen.insert("killed at a step") }
        if process.excerptLimit > 0 { seen.insert("excerpt") }
        for step in process.tasks.joined() {
          if step.isCanceled { seen.insert("cancellation") }
          seen.insert("action " + "\(step.action)".prefix { $0 != "(" })
        }
      }
    }
    for fault in outcome.faults.keys {
      switch fault {
      case .kill: seen.insert("killed at a call")
      case .failure(let code): seen.insert("call failed with \(code)")
      }
    }
    for pair in outcome.pairs { pairs[pair, default: 0] += 1 }
    for event in seen { events[event, default: 0] += 1 }
  }

  func print(seconds: Double, firstSeed: UInt64) {
    writeLine(
      "\(count) schedules from seed \(firstSeed), \(steps) steps, "
        + "\(Int(Double(count) / seconds)) schedules a second: no promise broken")
    for (event, number) in events.sorted(by: { $0.key < $1.key }) {
      writeLine("  \(event): \(perMille(number))")
    }
    // The rarest first: they say which scenarios are missing.
    let losing = Pair.all.map { ($0, pairs[$0, default: 0]) }.sorted { $0.1 < $1.1 }
    for (pair, number) in losing { writeLine("  pair \(pair): \(perMille(number))") }
    let rare = losing.count { $0.1 * 100 < count }
    writeLine("  \(rare) of \(losing.count) pairs that can lose data in less than 10 per mille")
  }

  private func perMille(_ number: Int) -> String {
    "\(number * 1_000 / max(count, 1)) per mille"
  }
}
