import FoundationEssentials
@testable import Pantry

/// The program that runs in a simulated process: stores on one file, and tasks that use them.
@MainActor
final class Client {
  let process: SimulatedProcess
  let plan: Scenario.Process
  private let history: History
  private let engines: Engines
  private let upgrades: [ModelUpgrade]
  private let isFaultless: Bool
  private let text: String?
  private(set) var open: OpenEngines?
  private(set) var notes: Watched<Note>?
  private(set) var tags: Watched<Tag>?
  private(set) var counters: Watched<Tag>?
  private(set) var value: AsyncStoredValue<Int>?
  /// The last of the counters.
  private(set) var counted: AsyncStoredValue<Int>?
  /// The same in a file.
  private(set) var countedInFile: StoredValue<Int>?
  private(set) var objects: ObjectStorage<Tag>?
  private(set) var isDone = false
  private var killStep: Int?
  /// The actions that have not ended.
  private var underWay: [Int: Scenario.Action] = [:]
  private var actionCount = 0
  /// Whether it has begun a change.
  private(set) var hasChanged = false
  private weak var file: SQLiteFile?
  /// Has the lease, which a real process gives up in the moment of its end.
  private weak var notifyFile: SQLiteNotifyFile?

  /// Whether nothing of the process uses the file any more.
  var hasEnded: Bool { file == nil && notifyFile == nil && process.end() }

  init(
    _ process: SimulatedProcess, _ plan: Scenario.Process, _ history: History, on engines: Engines,
    in scenario: Scenario
  ) {
    // It need not change anything: the rows have the number of upgrades.
    upgrades = scenario.hasUpgrade && !plan.isOlder ? [.setting("isNew", to: true)] : []
    isFaultless = scenario.isFaultless
    text = scenario.hasLargeNotes ? String(repeating: "panda ", count: 640) : nil
    self.process = process
    self.engines = engines
    self.plan = plan
    self.history = history
  }

  /// Begins to run, as code of the process.
  func start() {
    process.struck = { [weak self] fault in
      MainActor.assumeIsolated { self?.note(fault) }
    }
    process.fault = plan.fault
    process.nextFault = plan.nextFault
    process.fates = plan.fates
    process.fileFault = plan.fileFault
    if !plan.diesInChange { setKillStep() }
    process.context.run {
      _ = Task {
        begin()
        await withTaskGroup(of: Void.self) { group in
          for steps in plan.tasks {
            group.addTask { for step in steps { await self.take(step) } }
          }
        }
        if plan.closes { await perform(.close) }
        if plan.exits { release() }
        isDone = true
      }
    }
  }

  private func setKillStep() {
    killStep = plan.stepsToKill.map { Scheduler.current.stepCount + $0 }
  }

  var hasOpenFile: Bool { !process.isDead && file?.writer.isOpen ?? false }

  /// Whether its stores have been opened.
  var hasBegun: Bool { isDone || open != nil || process.isDead }

  /// Nothing goes wrong from now on.
  func spare() {
    killStep = nil
    process.fault = nil
    process.nextFault = nil
    process.fates = []
    process.fileFault = nil
  }

  /// Opens the stores.
  func begin() {
    process.clockError = .seconds(plan.clockError)
    let open = engines.open(for: process, isDeferred: plan.isDeferred)
    self.open = open
    file = open.file?.file
    notifyFile = open.file?.file.notifyFile
    let limit = plan.excerptLimit
    notes = Watched(
      .loadingInBackground(storage: open.engine("notes"), excerptLimit: limit), holds: plan.holds)
    tags = Watched(
      .loadingInBackground(
        storage: open.engine("tags"), excerptLimit: limit, upgrades: upgrades))
    counters = Watched(.loadingInBackground(storage: open.engine("counters")))
    value = AsyncStoredValue(wrappedValue: 0, key: "value", storage: open.engine("values"))
    counted = AsyncStoredValue(wrappedValue: 0, key: "counted", storage: open.engine("values"))
    // The registry of the process: the first that asks makes it.
    _ = process.context.object { ValueRegistry { [process] in try process.decide($0) } }
    countedInFile = StoredValue(
      wrappedValue: 0, key: "counted",
      directory: StorageDirectory(url: URL(filePath: process.machine.directory)))
    objects = ObjectStorage(storage: open.engine("objects"), upgrades: upgrades)
  }

  /// Gives up the stores and the file; a living process does the work of its exit.
  func release() {
    process.context?.run {
      notes = nil
      tags = nil
      counters = nil
      value = nil
      counted = nil
      countedInFile = nil
      objects = nil
      open = nil
      if !process.isDead { process.exit() }
    }
  }

  /// Kills the process once its time has come.
  func killIfDue() {
    guard let killStep, Scheduler.current.stepCount >= killStep else { return }
    kill(by: .killed)
  }

  /// Kills the process as it is.
  func kill(by fault: Pair.Fault) {
    if !process.isDead { note(fault) }
    process.kill()
  }

  private func note(_ fault: Pair.Fault) {
    process.machine.note(Array(underWay.values).pairs(with: fault, on: engines.kind))
  }

  /// Reads what was left to be asked for.
  func loadAll() async {
    guard plan.excerptLimit > 0, !process.isDead else { return }
    await process.context.run {
      // A failure is an error of the load, which the check finds.
      try? await notes?.store.itemsHaveLoaded()
      try? await tags?.store.itemsHaveLoaded()  // found by the check
    }
  }

  /// Reads something if the file was closed: stores do not follow others until it is opened again.
  func openAfterClosing() async {
    guard let file = open?.file, !process.isDead, closes else { return }
    _ = try? await process.context.run { try await file.keyCount() }  // the check reads again
  }

  private var closes: Bool {
    plan.closes || plan.tasks.joined().contains { $0.action == .close }
  }

  /// Throws unless the pictures of all notes in use can be read, if no store was closed meanwhile.
  func checkHeld() async throws(Violation) {
    if closes { return }
    for note in notes?.held ?? [] {
      guard let picture = note.picture else { continue }
      do {
        let data = try await process.context.run { try await picture.data() }
        guard data != Note.picture(of: note.version) else { continue }
      } catch {
        throw Violation("a picture in use cannot be read: \(error)")
      }
      throw Violation("a picture in use is another one")
    }
  }

  // MARK: Steps

  private nonisolated func take(_ step: Scenario.Step) async {
    let task = Task { @MainActor in await self.perform(step.action) }
    if step.isCanceled { task.cancel() }
    await task.value
  }

  private func perform(_ action: Scenario.Action) async {
    guard let notes = notes?.store, let tags = tags?.store, let counters = counters?.store,
      let open, let value, let counted, let countedInFile, let objects,
      !process.isDead
    else { return }
    if action.change != nil, !hasChanged {
      hasChanged = true
      if plan.diesInChange { setKillStep() }
    }
    actionCount += 1
    let number = actionCount
    underWay[number] = action
    defer { underWay[number] = nil }
    switch action {
    case .add(let keys, let hasPicture):
      await change(action) { change in
        for key in keys { change.versions[key] = .some(change.number) }
        if keys[0].space == .notes {
          let items = keys.map { note($0, change.number, hasPicture) }
          if items.count == 1 { try await notes.add(items[0]) } else { try await notes.add(items) }
        } else {
          try await tags.add(keys.map { Tag(id: $0.id, version: change.number) })
        }
      }
    case .remove(let keys):
      await change(action) { change in
        for key in keys { change.versions[key] = .some(nil) }
        if keys[0].space == .notes {
          try await notes.remove(keys.map { note($0, 0, false) })
        } else {
          try await tags.remove(keys.map { Tag(id: $0.id, version: 0) })
        }
      }
    case .removeAll(let space):
      await change(action) { change in
        for key in Scenario.Key.all where key.space == space { change.versions[key] = .some(nil) }
        // Rows of a newer program stay.
        change.yields = plan.isOlder && space == .tags
        if space == .notes { try await notes.removeAll() } else { try await tags.removeAll() }
      }
    case .replace(let old, let new, let hasPicture):
      await change(action) { change in
        change.versions[old] = .some(nil)
        change.versions[new] = .some(change.number)
        if old.space == .notes {
          try await notes.remove(note(old, 0, false))
            .add(note(new, change.number, hasPicture)).run()
        } else {
          try await tags.remove(Tag(id: old.id, version: 0))
            .add(Tag(id: new.id, version: change.number)).run()
        }
      }
    case .update(let key):
      await change(action) { change in
        change.isConditional = true
        change.versions[key] = .some(change.number)
        if key.space == .notes {
          change.foundNone =
            try await notes.update(key.id) {
              $0 = self.note(key, change.number, change.number % 2 == 0)
            } == nil
        } else {
          change.foundNone = try await tags.update(key.id) { $0.version = change.number } == nil
        }
      }
    case .merge(let rows, let removed):
      await change(action) { change in
        for key in removed { change.versions[key] = .some(nil) }
        for key in rows { change.versions[key] = .some(change.number) }
        if rows[0].space == .notes {
          try await notes.merge(
            rows.map { note($0, change.number, change.number % 2 == 0) },
            removing: removed.map(\.id))
        } else {
          try await tags.merge(
            rows.map { Tag(id: $0.id, version: change.number) }, removing: removed.map(\.id))
        }
      }
    case .count(let number):
      await count(number) { try await counters.update(String(number)) { $0.version += 1 } != nil }
    case .countByMerge(let number):
      await count(number) {
        try await counters.merge([Tag(id: String(number), version: 1)]) { old, _ in
          Tag(id: old.id, version: old.version + 1)
        }
        return true
      }
    case .countBoth:
      await count(0, 1) {
        try await counters.transaction(with: tags) { transaction in
          for number in 0..<2 {
            transaction.update(String(number), in: counters) { $0.version += 1 }
          }
        }
        return true
      }
    case .countInValue:
      await count(Scenario.counterCount) {
        try await counted.update { $0 += 1 }
        return true
      }
    case .countInFile:
      // What a failed flush leaves is written later.
      await count(Scenario.counterCount + 1, failureIsUnknown: true) {
        countedInFile.update { $0 += 1 }
        try await countedInFile.flush()
        return true
      }
    case .storeObjects(let keys):
      await change(action) { change in
        for key in keys { change.versions[key] = .some(change.number) }
        try await objects.store(
          keys.map { (CacheKey(verbatim: $0.id), Tag(id: $0.id, version: change.number)) })
      }
    case .removeObjects(let keys):
      await change(action) { change in
        for key in keys { change.versions[key] = .some(nil) }
        try await objects.removeObjects(forKeys: keys.map { CacheKey(verbatim: $0.id) })
      }
    case .transaction(let added, let removed):
      await change(action) { change in
        for key in removed { change.versions[key] = .some(nil) }
        for key in added { change.versions[key] = .some(change.number) }
        try await notes.transaction(with: tags) { transaction in
          for key in removed {
            if key.space == .notes {
              transaction.remove(self.note(key, 0, false), from: notes)
            } else {
              transaction.remove(Tag(id: key.id, version: 0), from: tags)
            }
          }
          for key in added {
            if key.space == .notes {
              transaction.add(self.note(key, change.number, true), to: notes)
            } else {
              transaction.add(Tag(id: key.id, version: change.number), to: tags)
            }
          }
        }
      }
    case .optimistic(let key, let fails):
      await change(action) { change in
        change.yields = true
        change.isShownAtOnce = key.space == .notes ? notes.hasLoaded : tags.hasLoaded
        change.versions[key] = .some(change.number)
        let services = process
        let work: @MainActor () async throws -> Void = {
          try? await services.sleep(for: .milliseconds(5))  // a canceled caller waits less
          if fails { throw Refused() }
        }
        if key.space == .notes {
          try await notes.optimistically(
            notes.add(note(key, change.number, false)), commit: work)
        } else {
          try await tags.optimistically(
            tags.add(Tag(id: key.id, version: change.number)), commit: work)
        }
      }
    case .removeIssues:
      await change(action) { change in
        // One that was written again stays.
        change.yields = true
        try await tags.itemsHaveLoaded()
        let issues = tags.loadIssues
        for issue in issues {
          change.versions[Scenario.Key(space: .tags, number: Int(issue.key.rawValue)!)] = .some(nil)
        }
        try await tags.removeRows(of: issues)
      }
    case .value:
      await change(action) { change in
        change.versions[.value] = .some(change.number)
        try await value.set(change.number)
      }
    case .wait: await notes.operationsHaveEnded()
    case .close: try? await open.file?.close()  // nothing is lost
    case .backup: _ = try? await open.file?.backUpRows(at: process.now)  // nothing is lost
    case .pause(let milliseconds):
      try? await process.sleep(for: .milliseconds(milliseconds))  // a canceled caller waits less
    }
  }

  private struct Refused: Error {}

  private func note(_ key: Scenario.Key, _ version: Int, _ hasPicture: Bool) -> Note {
    Note(
      id: key.id, version: version,
      picture: hasPicture ? Attachment(Note.picture(of: version)) : nil, text: text)
  }

  /// Performs a change, and records its answer.
  private func change(
    _ action: Scenario.Action, _ body: @MainActor (History.Change) async throws -> Void
  ) async {
    let change = history.begin(action, by: process.name)
    change.isOlder = plan.isOlder
    if plan.isOlder {
      for issue in tags?.store.loadIssues ?? [] where issue.newerVersion != nil {
        change.newer.insert(Scenario.Key(space: .tags, number: Int(issue.key.rawValue)!))
      }
    }
    let answer: History.Change.Answer
    do {
      try await body(change)
      answer = .success
    } catch {
      answer = Self.isUnknown(error) ? .unknown : .failure
      let reason = "\(error)".replacing(process.machine.directory, with: "…")
      Scheduler.current.trace.note("\(process.name) \(change.number) failed: \(reason)")
      if case .optimistic(_, fails: true) = action {} else { noteFailure(of: action, reason) }
    }
    // An answer that came after the death of the process is none.
    if change.end == nil { history.end(change, answer) }
    Scheduler.current.trace.note("\(process.name) \(change.number) \(action): \(change.answer)")
  }

  /// Adds one to each counter by `body`, which returns whether they were found.
  private func count(
    _ numbers: Int..., failureIsUnknown: Bool = false, body: @MainActor () async throws -> Bool
  ) async {
    let (begin, replacedCount) = (Scheduler.current.stepCount, history.replacedCount)
    do {
      guard try await body() else { return }
      Scheduler.current.trace.note("\(process.name) counted \(numbers)")
      for number in numbers {
        let isOfEngine = number <= Scenario.counterCount
        if isOfEngine, !process.isDead { history.noteSuccess(of: "counting", begin) }
        if process.isDead || isOfEngine && history.replacedCount > replacedCount {
          history.maybeCounted[number] += 1
        } else {
          history.counted[number] += 1
        }
      }
    } catch {
      Scheduler.current.trace.note("\(process.name) did not count \(numbers)")
      noteFailure(of: nil, "\(error)")
      guard process.isDead || failureIsUnknown || Self.isUnknown(error) else {
        for number in numbers { history.failedToCount[number] += 1 }
        return
      }
      for number in numbers { history.maybeCounted[number] += 1 }
    }
  }

  /// Notes that a change has failed; an older program's may.
  private func noteFailure(of action: Scenario.Action?, _ reason: String) {
    guard isFaultless, !plan.isOlder || action == .removeIssues else { return }
    history.unexpectedFailure =
      "\(action.map { "\($0)" } ?? "counting") failed: \(reason), and nothing went wrong"
  }

  private static func isUnknown(_ error: any Error) -> Bool {
    if case .outcomeUnknown? = error as? StorageError { true } else { false }
  }
}
