import CSimulatedDisk

/// A scenario in which a fault was found, run again in many orders.
struct Regression {
  /// The promise that was broken.
  let name: String
  let scenario: Scenario

  /// The number of orders in which it is tried.
  static let orderCount: UInt64 = 20

  /// Runs it; returns the first violation.
  func run(in place: String) -> (seed: UInt64, violation: Violation)? {
    for seed in 1...Self.orderCount {
      var scenario = scenario
      scenario.orderSeed = seed
      if let violation = Schedule(scenario: scenario, place: place).run().violation {
        return (seed, violation)
      }
    }
    return nil
  }

  private init(
    _ name: String, _ processes: [Scenario.Process], hasSmallParts: Bool = false,
    damage: FileDamage? = nil
  ) {
    self.name = name
    var scenario = Scenario.empty
    scenario.startsWithTemplate = true
    scenario.hasSmallParts = hasSmallParts
    scenario.epochs = [Scenario.Epoch(processes: processes, damage: damage)]
    self.scenario = scenario
  }

  private static func process(
    _ actions: Scenario.Action..., fault: PlannedFault? = nil
  ) -> Scenario.Process {
    Scenario.Process(
      tasks: [actions.map { Scenario.Step(action: $0) }], fault: fault)
  }

  private static let note = Scenario.Key(space: .notes, number: 0)
  private static let other = Scenario.Key(space: .notes, number: 1)
  private static let tag = Scenario.Key(space: .tags, number: 1)
  private static let otherTag = Scenario.Key(space: .tags, number: 3)

  static let all = [
    // It was called a failure, and the next process to read the log after a crash took it for
    // committed.
    Regression(
      "a commit that could not be flushed is not called a failure",
      [
        process(
          .count(0),
          fault: PlannedFault(
            kind: .failure(SQLiteCode.syncError), call: SIMULATED_SYNC, file: SIMULATED_LOG,
            skipped: 0, repeats: 30)),
        process(
          .optimistic(note, fails: false),
          fault: PlannedFault(
            kind: .kill(SIMULATED_KILL_AFTER), call: SIMULATED_SHM_LOCK, file: nil, skipped: 12)),
      ]),
    // The item was not in memory yet, so nothing was written, and the answer was success.
    Regression(
      "an item that another process has just added is updated",
      [
        process(.add([note], hasPicture: true)),
        process(.update(other), .update(note)),
      ]),
    // The news had come while it was closed.
    Regression(
      "a file that was closed is followed again once it is open",
      [process(.close), process(.add([note], hasPicture: false))]),
    // No later change came.
    Regression(
      "changes of others whose reading failed are read later",
      [
        process(
          .count(1),
          fault: PlannedFault(
            kind: .failure(SQLiteCode.readError), call: SIMULATED_READ, file: nil, skipped: 24)),
        process(.add([note], hasPicture: false)),
        process(.add([other], hasPicture: true), .count(1)),
      ]),
    // The pages were in the log behind its last commit, and the next process to read it after a
    // crash took them for one.
    Regression(
      "a commit that could not be flushed, and was then read as absent, stays absent",
      [
        process(
          .add([tag], hasPicture: false), .update(tag),
          fault: PlannedFault(
            kind: .failure(SQLiteCode.syncError), call: SIMULATED_SYNC, file: SIMULATED_LOG,
            skipped: 1, repeats: 2)),
        Scenario.Process(
          tasks: [[Scenario.Step(action: .optimistic(otherTag, fails: false))]], stepsToKill: 89),
      ]),
    // The file had it, and it was made again on what the file had.
    Regression(
      "a change of a value whose file's name could not be flushed is made once",
      [
        Scenario.Process(
          tasks: [[Scenario.Step(action: .countInFile)]], fileFault: (skipped: 3, kills: false))
      ]),
    // The other namespace's entries had taken the place of the change's.
    Regression(
      "a change whose entry was pruned for those of another namespace is followed",
      [
        process(.merge([tag], removing: []), .countBoth, .countBoth),
        process(.add([tag], hasPicture: false), .add([note], hasPicture: false)),
      ], hasSmallParts: true),
    // A transaction read again before its turn, while another operation was resolved.
    Regression(
      "no update is lost beside a transaction after an unknown outcome",
      [
        process(.countByMerge(0), .countByMerge(0)),
        Scenario.Process(
          tasks: [
            [Scenario.Step(action: .countByMerge(0)), Scenario.Step(action: .countBoth)],
            [Scenario.Step(action: .countBoth)],
          ],
          fault: PlannedFault(
            kind: .failure(SQLiteCode.writeError), call: SIMULATED_WRITE, file: SIMULATED_LOG,
            skipped: 2, repeats: 2)),
      ]),
    // SQLite's own check names the error in its text, as it does damage.
    Regression(
      "a page that could not be read once is no damage",
      [
        process(
          .backup,
          fault: PlannedFault(
            kind: .kill(SIMULATED_KILL_BEFORE), call: SIMULATED_READ, file: nil, skipped: 25)),
        Scenario.Process(
          tasks: [
            [Scenario.Step(action: .count(0)), Scenario.Step(action: .close)],
            [
              Scenario.Step(action: .add([other], hasPicture: true)),
              Scenario.Step(action: .removeAll(.notes)),
            ],
          ],
          fault: PlannedFault(
            kind: .failure(SQLiteCode.readError), call: SIMULATED_READ, file: nil, skipped: 58)),
      ]),
    // The log of changes names no row then, and the damaged page was that of the index.
    Regression(
      "recovery takes no row from a backup that was removed with all others since",
      [process(.backup, .removeAll(.notes))],
      damage: FileDamage(kind: .garbage, page: 4, seed: 0)),
    // The root of the table had them from before the table grew, and the index was damaged.
    Regression(
      "recovery takes no removed row from the inner pages of a table",
      [
        process(
          .add(Scenario.Key.all.filter { $0.space == .notes }, hasPicture: false), .remove([tag]))
      ],
      damage: FileDamage(kind: .garbage, page: 4, seed: 0)),
    // Behind an addition that waited, it was resolved before that was in memory.
    Regression(
      "an optimistic change is not written over a row that its program has written meanwhile",
      [
        Scenario.Process(
          tasks: Scenario.Key.all.filter { $0.space == .notes }.flatMap { key in
            let add = Scenario.Step(action: .add([key], hasPicture: false))
            // Canceled, it does not pause before it is written.
            let shown = Scenario.Step(action: .optimistic(key, fails: false), isCanceled: true)
            return [[add, shown], [add, add]]
          })
      ]),
  ]
}
