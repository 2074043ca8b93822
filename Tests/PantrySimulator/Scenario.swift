import CSimulatedDisk

/// A random program: what several processes do, and what befalls them.
struct Scenario {
  /// A key of one of the two stores or of the objects, or that of the value.
  struct Key: Hashable, Comparable, CustomStringConvertible {
    enum Space: Int { case notes, tags, objects, value }
    let space: Space
    let number: Int

    static let value = Key(space: .value, number: 0)
    static let all =
      [Space.notes, .tags, .objects].flatMap { space in
        (0..<keyCount).map { Key(space: space, number: $0) }
      } + [value]

    var description: String { ["n", "t", "o", "v"][space.rawValue] + String(number) }
    var id: String { String(number) }

    static func < (left: Key, right: Key) -> Bool {
      (left.space.rawValue, left.number) < (right.space.rawValue, right.number)
    }
  }

  /// A thing that a user of the library does.
  enum Action: Hashable {
    /// Saves items in one call; notes may have a picture.
    case add([Key], hasPicture: Bool)
    case remove([Key])
    case removeAll(Key.Space)
    /// Removes and saves, in one chain.
    case replace(Key, Key, hasPicture: Bool)
    /// Changes an item if it exists.
    case update(Key)
    /// Adds one to a counter.
    case count(Int)
    /// Merges what a server might answer, and removes.
    case merge([Key], removing: [Key])
    /// Adds one to a counter, by a merge whose policy reads it.
    case countByMerge(Int)
    /// Adds one to both counters together.
    case countBoth
    /// Adds one to a value.
    case countInValue
    /// Adds one to a value in a file of its own.
    case countInFile
    /// Writes or removes objects without a store.
    case storeObjects([Key])
    case removeObjects([Key])
    /// Changes both stores together.
    case transaction([Key], removing: [Key])
    /// Shows a change at once, which the work behind it lets fail or succeed.
    case optimistic(Key, fails: Bool)
    /// Removes the tags of newer programs.
    case removeIssues
    /// Saves a value of its own.
    case value
    /// Waits for the operations so far, or closes the file.
    case wait
    case close
    case backup
    case pause(milliseconds: Int)
  }

  /// The kinds of changes: each can be lost in its own ways.
  enum Change: String, CaseIterable {
    case add, remove, removeAll, replace, update, merge, count, countByMerge
    case countBoth, countInValue, countInFile, storeObjects, removeObjects, transaction, optimistic,
      removeIssues, value

    /// Whether several that wait together are one commit.
    var isShared: Bool {
      switch self {
      case .add, .remove, .removeAll, .replace, .update, .merge, .count, .countByMerge: true
      case .countBoth, .countInValue, .countInFile, .storeObjects, .removeObjects, .transaction,
        .optimistic, .removeIssues, .value:
        false
      }
    }
  }

  /// One action of a task.
  struct Step: Hashable {
    let action: Action
    /// Whether the task that does it is canceled at once.
    var isCanceled = false
  }

  /// A process and its tasks, each of which takes its steps one after another.
  struct Process {
    var tasks: [[Step]]
    /// What goes wrong with its disk; nil for nothing.
    var fault: PlannedFault?
    /// The fault after it.
    var nextFault: PlannedFault?
    /// What happens to the first commits to a server.
    var fates: [SimulatedProcess.Fate] = []
    /// The call to the file of a value that fails or kills it; nil for none.
    var fileFault: (skipped: Int, kills: Bool)?
    /// The number of steps after which it is killed; nil for never.
    var stepsToKill: Int?
    /// Whether these steps count from its first change, not from its beginning.
    var diesInChange = false
    /// The number of items that it shows before the others are asked for; 0 loads all at once.
    var excerptLimit = 0
    /// Whether it keeps in use all notes that it has shown, with their pictures.
    var holds = false
    /// Whether it closes the file when its tasks are done.
    var closes = false
    /// Whether it ends by `exit` then; otherwise it stays until the end.
    var exits = false
    /// Whether its engine opens the file at the first operation.
    var isDeferred = false
    /// Whether it is an older program, which cannot read the tags and objects of the others.
    var isOlder = false
    /// How much its clock is wrong, in seconds, once it has begun.
    var clockError = 0

    mutating func addTraits(_ random: inout RandomStream) {
      if random.oneIn(4) { excerptLimit = 2 }
      holds = random.oneIn(2)
      closes = random.oneIn(6)
      exits = random.oneIn(3)
      isDeferred = random.oneIn(2)
      if random.oneIn(6) { clockError = random.pick([-90_000, 90_000, -3_600, 31_536_000]) }
    }
  }

  /// A time between two beginnings of the machine.
  struct Epoch {
    var processes: [Process]
    /// Whether the power fails at the end; otherwise all processes end in their own ways.
    var endsWithPowerFailure = false
    /// After how many steps the power fails; nil for when all is done.
    var stepsToFailure: Int?
    /// Whether these steps count from the first change of any process.
    var failsInChange = false
    /// What a user does to the file meanwhile.
    var move: FileMove?
    /// What happens to the closed file at the end.
    var damage: FileDamage?
  }

  /// The engine under the stores.
  enum Engine: String, CaseIterable {
    case sqlite
    /// One of an adopter's own, on a server that all processes use.
    case server
    /// In one process.
    case memory
  }

  var engine = Engine.sqlite
  /// Whether work is divided into parts so small that a few items have several.
  var hasSmallParts = false
  /// Whether some programs have an upgrade of the tags and objects, and others are older.
  var hasUpgrade = false
  /// Whether nothing goes wrong, so that nothing may fail.
  var isFaultless = false
  /// Whether the rows of notes have more than one page.
  var hasLargeNotes: Bool { epochs.contains { $0.damage != nil } }
  /// Whether the file exists at the beginning.
  var startsWithTemplate = true
  var epochs: [Epoch]
  /// The seed of the order of all that happens.
  var orderSeed: UInt64

  /// One that only makes the counters.
  static var empty: Scenario {
    var scenario = Scenario(seed: 0)
    scenario.engine = .sqlite
    scenario.startsWithTemplate = false
    scenario.epochs = [Epoch(processes: [Process(tasks: [])])]
    return scenario
  }

  // MARK: Making

  static let keyCount = 4
  static let counterCount = 2
  /// What is stored at the beginning: some of the notes, tags and objects.
  static let firstVersions = Dictionary(
    uniqueKeysWithValues: Key.all.filter {
      $0 != .value && $0.number < counterCount
    }.map { ($0, 0) })

  /// Makes the scenario of a seed.
  init(seed: UInt64) {
    var random = RandomStream(seed: seed)
    orderSeed = random.next()
    let number = random.below(16)
    engine = number == 0 ? .memory : number < 7 ? .server : .sqlite
    startsWithTemplate = engine == .sqlite && !random.oneIn(8)
    hasSmallParts = random.oneIn(2)
    epochs = (0..<random.pick([1, 2, 2])).map { [engine] _ in Self.epoch(&random, on: engine) }
    if engine != .sqlite { adaptToEngineWithoutFile() }
    isFaultless = random.oneIn(16)
    if isFaultless { takeOutFaults() }
    if engine == .sqlite, random.oneIn(4) {
      addFileEvent(&random)
      return
    }
    // An engine of one's own judges the rows before its transaction, not in it.
    hasUpgrade = engine == .sqlite && random.oneIn(2)
    guard hasUpgrade else { return }
    // Otherwise the first rows are a newer program's.
    startsWithTemplate = startsWithTemplate && random.oneIn(2)
    for epoch in epochs.indices {
      for process in epochs[epoch].processes.indices where random.oneIn(2) {
        epochs[epoch].processes[process].isOlder = true
        if random.oneIn(2) {
          epochs[epoch].processes[process].tasks[0].insert(Step(action: .removeIssues), at: 0)
        }
      }
    }
  }

  private mutating func takeOutFaults() {
    for epoch in epochs.indices {
      epochs[epoch].endsWithPowerFailure = false
      epochs[epoch].stepsToFailure = nil
      for process in epochs[epoch].processes.indices {
        epochs[epoch].processes[process].fault = nil
        epochs[epoch].processes[process].nextFault = nil
        epochs[epoch].processes[process].fates = []
        epochs[epoch].processes[process].fileFault = nil
        epochs[epoch].processes[process].stepsToKill = nil
      }
    }
  }

  /// Takes out what needs a file.
  private mutating func adaptToEngineWithoutFile() {
    for epoch in epochs.indices {
      epochs[epoch].endsWithPowerFailure = false
      epochs[epoch].stepsToFailure = nil
      for process in epochs[epoch].processes.indices {
        epochs[epoch].processes[process].fault = nil
        epochs[epoch].processes[process].nextFault = nil
      }
      if engine == .memory { epochs[epoch].processes.removeLast(epochs[epoch].processes.count - 1) }
    }
    if engine == .memory { epochs.removeLast(epochs.count - 1) }
  }

  private static func epoch(_ random: inout RandomStream, on engine: Engine) -> Epoch {
    let count = random.pick([1, 2, 2, 3])
    if random.oneIn(5) { return contended(&random, on: engine) }
    var epoch = Epoch(processes: [])
    epoch.endsWithPowerFailure = engine == .sqlite && !random.oneIn(3)
    if epoch.endsWithPowerFailure, !random.oneIn(6) {
      epoch.failsInChange = !random.oneIn(5)
      epoch.stepsToFailure = 20 + random.below(epoch.failsInChange ? 120 : 400)
    }
    epoch.processes = (0..<count).map { _ in
      random.oneIn(6) ? process(&random, on: engine) : aimed(&random, on: engine)
    }
    return epoch
  }

  /// Processes that all add to one number, or change an item that one adds, often with nothing in
  /// their way: none may work on what it has read before another's commit.
  private static func contended(_ random: inout RandomStream, on engine: Engine) -> Epoch {
    let number = random.below(counterCount)
    let space: Key.Space = random.oneIn(2) ? .tags : .notes
    let (first, other) = (Key(space: space, number: 0), Key(space: space, number: 2))
    let absent = Key(space: space, number: keyCount - 1)
    let actions: [Action] = random.pick([
      [.count(number), .countByMerge(number), .countByMerge(number), .countBoth],
      [.count(number), .countByMerge(number)], [.countInValue], [.countInFile],
      [.update(absent), .update(absent), .add([absent], hasPicture: false)],
      [.update(first), .update(first), .remove([first]), .removeAll(space)],
      // A row is written while an optimistic change shows it.
      [
        .optimistic(first, fails: false), .optimistic(first, fails: false),
        .add([first], hasPicture: false), .remove([first]),
      ],
      // The newest row is removed, and another is added.
      [
        .add([absent], hasPicture: false), .add([other], hasPicture: false), .remove([absent]),
        .remove([other]),
      ],
    ])
    return Epoch(
      processes: (0..<random.pick([2, 3])).map { _ in
        var process = Process(
          tasks: (0..<random.pick([1, 2, 3])).map { _ in
            (0..<(1 + random.below(3))).map { _ in Step(action: random.pick(actions)) }
          })
        process.closes = random.oneIn(3)
        if random.oneIn(4) {
          (process.stepsToKill, process.diesInChange) = (random.below(20), true)
        } else if random.oneIn(2) {
          if engine == .server { process.fates = fates(&random) }
          if engine == .sqlite { process.fault = aimedFault(&random) }
        }
        return process
      })
  }

  /// A process in which one kind of change, alone, in one batch with others or beside another, is
  /// likely to be under way when a fault comes.
  ///
  /// Chance alone lets a pair such as an update in a batch whose answer is lost occur once in
  /// thousands of schedules.
  private static func aimed(_ random: inout RandomStream, on engine: Engine) -> Process {
    let kind = random.pick(Change.allCases + rareChanges)
    let space: Key.Space = random.oneIn(2) ? .tags : .notes
    var process = Process(tasks: [[Step(action: change(kind, in: space, &random))]])
    if kind.isShared, random.oneIn(2) {
      let others: [Change] =
        kind == .count || kind == .countByMerge
        ? [.count, .countByMerge] : [.add, .remove, .removeAll, .replace, .update, .merge]
      for _ in 0..<random.pick([1, 2]) {
        process.tasks.append([Step(action: change(random.pick(others), in: space, &random))])
      }
    }
    if random.oneIn(2) {
      process.tasks.append([Step(action: change(random.pick(changesApart), in: space, &random))])
    }
    for task in process.tasks.indices {
      for _ in 0..<random.below(3) {
        let action =
          random.oneIn(4)
          ? action(&random) : change(random.pick(Change.allCases), in: space, &random)
        process.tasks[task].append(Step(action: action, isCanceled: random.oneIn(12)))
      }
    }
    process.addTraits(&random)
    if kind == .countInFile, engine != .memory {
      if !random.oneIn(3) { process.fileFault = (random.below(5), random.oneIn(3)) }
      return process
    }
    if engine == .server {
      process.fates = fates(&random)
      if !random.oneIn(3) {
        process.stepsToKill = random.below(random.pick([15, 15, 100]))
        process.diesInChange = true
      }
      return process
    }
    process.fault = aimedFault(&random)
    process.nextFault = aimedFault(&random)
    return process
  }

  /// Those that fewer faults meet, also because they may have nothing to do.
  private static let rareChanges: [Change] = [
    .add, .remove, .remove, .removeAll, .removeAll, .update, .update, .replace, .replace, .replace,
    .merge, .merge, .merge, .count, .count, .countByMerge, .countByMerge, .countInFile,
    .countInFile, .countInFile,
  ]

  /// Those that the engine makes beside others, in no batch.
  private static let changesApart: [Change] = [
    .countBoth, .countInValue, .storeObjects, .removeObjects, .transaction, .optimistic, .value,
  ]

  private static func fates(_ random: inout RandomStream) -> [SimulatedProcess.Fate] {
    (0..<(1 + random.below(6))).map { _ in
      random.pick([.answered, .lost, .lost, .madeAndAnswerLost, .madeAndAnswerLost])
    }
  }

  private static func aimedFault(_ random: inout RandomStream) -> PlannedFault {
    switch random.below(3) {
    case 0:
      let (call, count) = random.pick([
        (SIMULATED_WRITE, 8), (SIMULATED_SYNC, 2), (SIMULATED_SHM_LOCK, 40),
      ])
      let verdict = random.pick([
        Int32(SIMULATED_KILL_BEFORE), Int32(SIMULATED_KILL_AFTER), Int32(SIMULATED_KILL_PARTLY),
      ])
      return PlannedFault(
        kind: .kill(verdict), call: call, file: call == SIMULATED_SHM_LOCK ? nil : SIMULATED_LOG,
        skipped: random.below(count))
    case 1:
      return PlannedFault(
        kind: .failure(SQLiteCode.syncError), call: SIMULATED_SYNC, file: SIMULATED_LOG,
        skipped: random.below(2), repeats: random.pick([1, 2, 30]))
    default:
      return PlannedFault(
        kind: .failure(random.pick([SQLiteCode.full, SQLiteCode.writeError])),
        call: SIMULATED_WRITE, file: SIMULATED_LOG, skipped: random.below(6),
        repeats: random.pick([1, 2, 30]))
    }
  }

  private static func process(_ random: inout RandomStream, on engine: Engine) -> Process {
    let tasks = (0..<random.pick([1, 1, 2, 3])).map { _ in
      (0..<(1 + random.below(3))).map { _ in
        Step(action: action(&random), isCanceled: random.oneIn(12))
      }
    }
    var process = Process(tasks: tasks)
    process.fault = random.oneIn(3) ? nil : fault(&random)
    if engine == .server { process.fates = fates(&random) }
    if random.oneIn(8) { process.stepsToKill = random.below(200) }
    process.addTraits(&random)
    return process
  }

  private static func key(_ random: inout RandomStream, in space: Key.Space) -> Key {
    Key(space: space, number: random.below(keyCount))
  }

  private static func keys(_ random: inout RandomStream, in space: Key.Space) -> [Key] {
    var keys: Set = [key(&random, in: space)]
    while random.oneIn(3) { keys.insert(key(&random, in: space)) }
    return keys.sorted()
  }

  private static func action(_ random: inout RandomStream) -> Action {
    let space: Key.Space = random.oneIn(3) ? .tags : .notes
    switch random.below(33) {
    case 0...27: return change(random.pick(usualChanges), in: space, &random)
    case 28...29: return .close
    case 30...31: return random.pick([.wait, .backup])
    default: return .pause(milliseconds: random.pick([1, 10, 100, 2_000]))
    }
  }

  /// Each kind as often as programs do it.
  private static let usualChanges: [Change] = [
    .add, .add, .add, .add, .add, .add, .remove, .remove, .removeAll, .replace, .replace, .update,
    .update, .count, .count, .count, .transaction, .transaction, .transaction, .optimistic,
    .optimistic, .value, .merge, .countByMerge, .countBoth, .countInValue, .countInFile,
    .storeObjects, .removeObjects,
  ]

  private static func change(
    _ kind: Change, in space: Key.Space, _ random: inout RandomStream
  ) -> Action {
    switch kind {
    case .add: return .add(keys(&random, in: space), hasPicture: random.oneIn(2))
    case .remove: return .remove(keys(&random, in: space))
    case .removeAll: return .removeAll(space)
    case .replace:
      return .replace(
        key(&random, in: space), key(&random, in: space), hasPicture: random.oneIn(2))
    case .update: return .update(key(&random, in: space))
    case .count: return .count(random.below(counterCount))
    case .merge:
      let rows = keys(&random, in: space)
      let removed = random.oneIn(2) ? Set(keys(&random, in: space)).subtracting(rows).sorted() : []
      return .merge(rows, removing: removed)
    case .countByMerge: return .countByMerge(random.below(counterCount))
    case .countBoth: return .countBoth
    case .countInValue: return .countInValue
    case .countInFile: return .countInFile
    case .storeObjects: return .storeObjects(keys(&random, in: .objects))
    case .removeObjects: return .removeObjects(keys(&random, in: .objects))
    case .transaction:
      let added = keys(&random, in: .notes) + keys(&random, in: .tags)
      let removed =
        random.oneIn(2) ? Set(keys(&random, in: space)).subtracting(added).sorted() : []
      return .transaction(added, removing: removed)
    case .optimistic: return .optimistic(key(&random, in: space), fails: random.oneIn(2))
    case .removeIssues: return .removeIssues
    case .value: return .value
    }
  }

  private static func fault(_ random: inout RandomStream) -> PlannedFault {
    // With the usual number of such calls.
    let (call, file, count): (simulated_call?, simulated_file?, Int) = random.pick([
      (SIMULATED_WRITE, SIMULATED_LOG, 16), (SIMULATED_WRITE, SIMULATED_LOG, 16),
      (SIMULATED_WRITE, SIMULATED_LOG, 1), (SIMULATED_WRITE, SIMULATED_LOG, 1),
      (SIMULATED_WRITE, SIMULATED_DATABASE, 6),
      (SIMULATED_SYNC, SIMULATED_LOG, 2), (SIMULATED_SYNC, SIMULATED_LOG, 2),
      (SIMULATED_SYNC, SIMULATED_DATABASE, 2), (SIMULATED_READ, nil, 60),
      (SIMULATED_READ, nil, 20), (SIMULATED_READ, nil, 60), (SIMULATED_SHM_LOCK, nil, 40),
      (SIMULATED_SHM_LOCK, nil, 20), (nil, nil, 200),
    ])
    let skipped = random.below(count)
    if random.oneIn(2) {
      let verdict = random.pick([
        Int32(SIMULATED_KILL_BEFORE), Int32(SIMULATED_KILL_AFTER), Int32(SIMULATED_KILL_PARTLY),
        Int32(SIMULATED_KILL_PARTLY),
      ])
      return PlannedFault(kind: .kill(verdict), call: call, file: file, skipped: skipped)
    }
    let code = failure(of: call, &random)
    return PlannedFault(
      kind: .failure(code), call: call ?? SIMULATED_READ, file: file, skipped: skipped,
      repeats: random.pick([1, 1, 2, 30]))
  }

  private static func failure(of call: simulated_call?, _ random: inout RandomStream) -> Int32 {
    switch call {
    case SIMULATED_WRITE: random.pick([SQLiteCode.full, SQLiteCode.writeError])
    case SIMULATED_SYNC: SQLiteCode.syncError
    case SIMULATED_SHM_LOCK: SQLiteCode.busy
    default: SQLiteCode.readError
    }
  }
}
