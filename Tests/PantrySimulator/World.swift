import CPantrySQLite
import FoundationEssentials
import Pantry

/// Runs one scenario, and judges it.
@MainActor
final class World {
  private let scenario: Scenario
  let machine: SimulatedMachine
  private let engines: Engines
  let history = History()
  private var processCount = 0
  var hasLostPower = false
  /// Whether the disk itself has damaged the file: it failed to flush, and then lost power.
  var isDamaged = false
  private var clients: [Client] = []
  private var move: MovedFile?
  private var scheduler: Scheduler { .current }

  init(_ scenario: Scenario, in directory: String) {
    self.scenario = scenario
    machine = SimulatedMachine(directory: directory)
    engines = Engines(scenario.engine, on: machine)
  }

  /// Runs all epochs.
  func run() async throws(Violation) {
    if !scenario.startsWithTemplate { try await setUp() }
    history.settle(Scenario.firstVersions, counters: [:])
    for epoch in scenario.epochs { try await run(epoch) }
  }

  func client(_ plan: Scenario.Process = Scenario.Process(tasks: [])) -> Client {
    processCount += 1
    let process = SimulatedProcess(
      name: "p\(processCount)", on: machine, hasSmallParts: scenario.hasSmallParts)
    let client = Client(process, plan, history, on: engines, in: scenario)
    clients.append(client)
    return client
  }

  /// Gives up all processes, after a violation; what they leave is run by the scheduler.
  func giveUp() {
    for client in clients {
      client.process.kill()
      client.release()
    }
  }

  /// Whether all processes have ended.
  var hasEnded: Bool { clients.allSatisfy(\.hasEnded) }

  /// Makes the counters, and the first items.
  private func setUp() async throws(Violation) {
    let client = client()
    client.process.context.run { client.begin() }
    do {
      try await client.process.context.run {
        let ids = (0..<Scenario.counterCount).map(String.init)
        try await client.counters?.store.add(ids.map { Tag(id: $0, version: 0) })
        let picture = Attachment(Note.picture(of: 0))
        try await client.notes?.store.add(
          ids.map { Note(id: $0, version: 0, picture: $0 == "0" ? picture : nil) })
        try await client.tags?.store.add(ids.map { Tag(id: $0, version: 0) })
        try await client.objects?.store(
          ids.map { (CacheKey(verbatim: $0), Tag(id: $0, version: 0)) })
      }
    } catch {
      throw Violation("the first items were not made: \(error)")
    }
    try await end(client)
  }

  private func run(_ epoch: Scenario.Epoch) async throws(Violation) {
    if epoch.move != nil { try await backUp() }
    let clients = epoch.processes.map { client($0) }
    move = epoch.move.map { MovedFile($0, on: machine, history, clients) }
    for client in clients { client.start() }
    if let steps = epoch.stepsToFailure {
      var end = epoch.failsInChange ? nil : scheduler.stepCount + steps
      try await wait { [scheduler] in
        if end == nil, clients.contains(where: \.hasChanged) { end = scheduler.stepCount + steps }
        guard let end, scheduler.stepCount >= end else { return clients.allSatisfy(\.isDone) }
        // At this step: this task goes on a hundred steps later.
        for client in clients { client.kill(by: .powerFailure) }
        return true
      }
    } else {
      try await wait { clients.allSatisfy(\.isDone) }
      move?.finish()
      move = nil
      // A closed file misses the news.
      await sleep(.seconds(5))
      for client in clients {
        client.spare()
        await client.openAfterClosing()
        await client.loadAll()
      }
      // All news arrive, and all back-off ends.
      await sleep(.seconds(70))
      try await wait { self.scheduler.isQuiet }
      let living = clients.filter { !$0.process.isDead }
      if !living.isEmpty { try await check(living) }
    }
    if epoch.endsWithPowerFailure {
      for client in clients { client.kill(by: .powerFailure) }
    }
    try await wait { clients.allSatisfy(\.isDone) }
    for client in clients { try await end(client) }
    if epoch.endsWithPowerFailure {
      machine.losePower()
      hasLostPower = true
    }
    try await check([])
    if isDamaged || epoch.damage != nil {
      try await recover(from: isDamaged ? nil : epoch.damage)
    }
  }

  /// Makes the backup that takes the place of the file.
  private func backUp() async throws(Violation) {
    let client = client()
    client.process.context.run { client.begin() }
    let path = MovedFile.backup(of: machine.databasePath)
    do {
      _ = try await client.process.context.run {
        try await client.open?.file?.backup(to: URL(filePath: path))
      }
    } catch {
      throw Violation("no backup was made: \(error)")
    }
    machine.noteFlush(of: path)
    try await end(client)
  }

  /// Ends a process, and waits until it has closed all files.
  func end(_ client: Client) async throws(Violation) {
    client.release()
    try await wait { client.hasEnded }
    clients.removeAll { $0 === client }
  }

  /// Checks what is stored, and that the clients show it.
  func check(_ clients: [Client]) async throws(Violation) {
    let reader = client()
    reader.process.context.run { reader.begin() }
    guard let (versions, counters) = try await check(clients, by: reader) else {
      return try await end(reader)
    }
    if clients.isEmpty {
      do {
        try await reader.process.context.run { try await reader.close() }
      } catch {
        throw Violation("the file was not closed: \(error)")
      }
    }
    try await end(reader)
    guard clients.isEmpty else { return }
    if scenario.engine == .sqlite { try checkFile() }
    history.settle(versions, counters: counters)
    // What was read is taken for stored, as the system stores it after a while.
    machine.noteFlushOfNames()
  }

  /// Checks what a reader finds; returns it without the items, which keep the file open.
  private func check(
    _ clients: [Client], by reader: Client
  ) async throws(Violation) -> (versions: [Scenario.Key: Int], counters: [Int: Int])? {
    let found: Found
    do {
      found = try await reader.process.context.run { try await Found(by: reader) }
    } catch let violation as Violation {
      throw violation
    } catch let error
      where SQLiteStorageEngine.reportsDamage(error) && hasLostPower && machine.hasFailedToSync
    {
      // No answer with success is lost, but the file is for recovery.
      isDamaged = true
      return nil
    } catch {
      throw Violation("what is stored cannot be read: \(error)")
    }
    let (versions, counts) = (found.versions, found.counts)
    history.hasFailedToWrite = machine.hasFailedToWrite
    try history.check(versions)
    for (number, count) in counts.sorted(by: { $0.key < $1.key }) {
      let sure = history.counted[number]
      let maybe =
        history.maybeCounted[number] + (history.mayRevive ? history.failedToCount[number] : 0)
      guard (sure...sure + maybe).contains(count) else {
        throw Violation(
          "counter \(number) is \(count), and \(sure) updates were answered, with "
            + "\(history.maybeCounted[number]) unknown")
      }
    }
    if scenario.hasUpgrade {
      // The reader has written the tags back.
      await sleep(.seconds(70))
      try await wait { self.scheduler.isQuiet }
    }
    for client in clients {
      let name = client.process.name
      try client.notes?.check(found.notes, "\(name) notes")
      try client.tags?.check(found.tags, "\(name) tags", isOlder: client.plan.isOlder)
      try client.counters?.check(found.counters, "\(name) counters")
      try await client.checkHeld()
    }
    return (versions, counts)
  }

  /// Checks the closed file: it is whole, and has no picture that no row uses.
  private func checkFile() throws(Violation) {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    let path = machine.databasePath
    guard sqlite3_open_v2(path, &database, pantry_sqlite3_open_read_write, nil) == 0 else {
      throw Violation("the file cannot be opened")
    }
    func text(_ sql: String) -> String {
      var statement: OpaquePointer?
      defer { sqlite3_finalize(statement) }
      guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == 0,
        sqlite3_step(statement) == pantry_sqlite3_row, let text = sqlite3_column_text(statement, 0)
      else { return "no answer to \(sql)" }
      return String(cString: text)
    }
    let integrity = text("PRAGMA integrity_check")
    guard integrity == "ok" else { throw Violation("the file is damaged: \(integrity)") }
    let left = text("SELECT count(*) FROM unreferenced")
    guard left == "0" else { throw Violation("\(left) unused pictures were left") }
  }

  // MARK: Waiting

  /// Waits until `condition`, which is asked after each step.
  private func wait(until condition: @escaping () -> Bool) async throws(Violation) {
    noteDeaths()
    guard !condition() else { return }
    let end = scheduler.stepCount + 200_000
    let isMet = await withCheckedContinuation { continuation in
      scheduler.afterStep = { [scheduler, self] in
        for client in clients { client.killIfDue() }
        move?.pass()
        noteDeaths()
        let isMet = condition()
        guard isMet || scheduler.stepCount > end else { return }
        scheduler.afterStep = {}
        continuation.resume(returning: isMet)
      }
    }
    if !isMet { throw Violation("something goes on for ever") }
  }

  /// What a process that has died was doing may have happened.
  private func noteDeaths() {
    for client in clients where client.process.isDead {
      history.processDied(client.process.name)
    }
  }

  private func sleep(_ duration: Duration) async {
    await withCheckedContinuation { continuation in
      scheduler.addTimer(after: duration) { continuation.resume() }
    }
  }
}

extension Client {
  func close() async throws { try await open?.file?.close() }

  func read(_ value: AsyncStoredValue<Int>?) async throws -> Int {
    guard let value else { return 0 }
    try await value.valueHasLoaded()
    return value.wrappedValue
  }
}
