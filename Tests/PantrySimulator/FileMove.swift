import FoundationEssentials
import Glibc
@testable import Pantry

/// What a user does to the file, between two steps of programs that have it open.
///
/// The promises (LiveStores.md, ConcurrencyAndDurability.md, faults 43 and 80):
/// - While there is no file, nothing that begins then is answered with success: it would be written
///   to a file that is gone.
/// - What begins once another file is at the path is on that one, or fails; and of the changes of
///   the former file, it has what the backup had. Those under way may be on either.
/// - A file that comes back with its log, or to the one that has stayed, has all that was answered.
/// - All stores then show what is at the path, which is whole.
///
/// After a move no program is killed, and none opens the file. A program that still has the former
/// file open removes the former log as soon as it notices the move; until then, SQLite would apply
/// that log to the new file. If no program has the file open, the log moves with it, as the guide
/// asks.
struct FileMove: Hashable {
  enum Kind: String, CaseIterable {
    /// A backup is moved to its place.
    case replaced
    /// It is removed, and the backup comes later.
    case removed
    /// It is moved away and comes back later; if there is a new one by then, the backup does.
    case movedAway
  }

  var kind: Kind
  /// Whether its log and the log's index go with it.
  var takesLog: Bool
  /// The number of steps of the first change before it, and until its end.
  var stepsBefore: Int
  var stepsAway: Int

  init(_ random: inout RandomStream) {
    kind = random.pick(Kind.allCases)
    takesLog = random.oneIn(2)
    stepsBefore = random.below(random.pick([10, 30, 100]))
    stepsAway = 10 + random.below(random.pick([40, 150]))
  }
}

extension FileMove: CustomStringConvertible {
  var description: String {
    "the file is \(kind)\(takesLog ? " with its log" : "") after \(stepsBefore) steps of the first "
      + "change, for \(stepsAway)"
  }
}

/// A move of the file as it goes on.
@MainActor
final class MovedFile {
  private let move: FileMove
  private let machine: SimulatedMachine
  private let path: String
  private let history: History
  private let clients: [Client]
  private var beginStep: Int?
  private var endStep: Int?
  private var isOver = false

  init(_ move: FileMove, on machine: SimulatedMachine, _ history: History, _ clients: [Client]) {
    self.move = move
    self.machine = machine
    path = machine.databasePath
    self.history = history
    self.clients = clients
  }

  /// The backup of the file, made before.
  static func backup(of path: String) -> String { path + ".saved" }
  private var away: String { path + ".away" }
  private var step: Int { Scheduler.current.stepCount }
  private var isAbsent: Bool { access(path, F_OK) != 0 }

  /// Does what is due after a step.
  func pass() {
    if beginStep == nil, clients.allSatisfy(\.hasBegun), clients.contains(where: \.hasChanged) {
      beginStep = step + move.stepsBefore
    }
    if !isAbsent { history.absentSince = nil }
    if endStep == nil, let beginStep, step >= beginStep { begin() }
    if let endStep, step >= endStep { end() }
  }

  /// Does what has not been done.
  func finish() {
    if endStep == nil { begin() }
    end()
  }

  private func begin() {
    endStep = step + move.stepsAway
    Scheduler.current.trace.note("the file is \(move.kind)")
    let isOpen = clients.contains(where: \.hasOpenFile)
    for client in clients { client.spare() }
    let takesLog = move.takesLog && move.kind != .replaced || !isOpen
    for suffix in takesLog ? ["-wal", "-shm"] : [] {
      if move.kind == .movedAway {
        rename(path + suffix, away + suffix)
      } else {
        unlink(path + suffix)
      }
    }
    switch move.kind {
    case .replaced:
      restore()
      isOver = true
    case .removed: unlink(path)
    case .movedAway: rename(path, away)
    }
    if isAbsent { history.absentSince = step }
    machine.distributeEvents()
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    Scheduler.current.trace.note("a file comes back")
    history.absentSince = nil
    defer { machine.distributeEvents() }
    guard move.kind == .movedAway, isAbsent else { return restore() }
    for suffix in ["-wal", "-shm", ""] { rename(away + suffix, path + suffix) }
  }

  private func restore() {
    precondition(rename(Self.backup(of: path), path) == 0, "there is no backup")
    history.fileWasReplaced()
  }
}

extension Scenario {
  /// Adds what befalls the file as a whole: it is moved, or damaged.
  mutating func addFileEvent(_ random: inout RandomStream) {
    // More is done before it where the power does not fail.
    let calm = epochs.indices.filter { !epochs[$0].endsWithPowerFailure }
    let number = calm.isEmpty ? random.below(epochs.count) : random.pick(calm)
    guard random.oneIn(2) else {
      hasSmallParts = false  // the log of changes has those of all removals
      epochs[number].damage = FileDamage(&random)
      if random.oneIn(2) {
        // What is removed since must not come back.
        let steps = [Action.backup, .removeAll(.notes)].prefix(random.pick([1, 2]))
        epochs[number].processes[0].tasks[0].insert(
          contentsOf: steps.map { Step(action: $0) }, at: 0)
      }
      return
    }
    var epoch = epochs[number]
    epoch.move = FileMove(&random)
    isFaultless = false  // writing fails while there is no file
    (epoch.endsWithPowerFailure, epoch.stepsToFailure) = (false, nil)
    for process in epoch.processes.indices {
      epoch.processes[process].isDeferred = false
      epoch.processes[process].closes = false
      for task in epoch.processes[process].tasks.indices {
        epoch.processes[process].tasks[task].removeAll { $0.action == .close }
        // Something begins while the file is away.
        let note = Key(space: .notes, number: random.below(Self.keyCount))
        for action in [.add([note], hasPicture: true), .count(0), .update(note)] as [Action] {
          epoch.processes[process].tasks[task].append(Step(action: action))
        }
      }
    }
    epochs[number] = epoch
  }
}
