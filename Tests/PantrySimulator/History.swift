/// What was asked for and answered, to judge what is stored.
@MainActor
final class History {
  /// A change of keys by one operation: all of them or none.
  @MainActor
  final class Change {
    enum Answer {
      case none, success
      /// It failed, and must have changed nothing.
      case failure
      /// It may have happened: its process died, or its error says so.
      case unknown
    }

    let number: Int
    let action: Scenario.Action
    let process: String
    /// The new versions; nil removes.
    var versions: [Scenario.Key: Int?]
    let begin: Int
    /// Whether it changes only items that exist.
    var isConditional = false
    /// Whether it says that there was none.
    var foundNone = false
    /// Whether it leaves out a row that was written meanwhile, as an optimistic change does.
    var yields = false
    /// Whether it is performed in the order of the calls of its process.
    var isOrdered: Bool {
      switch action {
      case .add, .remove, .removeAll, .replace, .update, .merge, .transaction: true
      default: false
      }
    }
    /// Whether it was shown in the moment of its beginning, if it is an optimistic change.
    var isShownAtOnce = false
    /// Whether it is of an older program, which must keep the tags and objects of newer ones.
    var isOlder = false
    /// The rows of newer programs that the older one knew at its beginning.
    var newer: Set<Scenario.Key> = []
    /// The step of the answer, or of the death of the process.
    var end: Int?
    /// Whether its process died before an answer.
    var isInterrupted = false
    /// Whether it was under way when the file was replaced: it may be lost with that.
    var isOfFormerFile = false
    var answer = Answer.none

    /// Whether it was surely made before another, if both were.
    func isBefore(_ other: Change) -> Bool {
      if let end, end < other.begin { return true }
      return process == other.process && isOrdered && other.isOrdered && number < other.number
    }

    init(_ number: Int, _ action: Scenario.Action, by process: String, at begin: Int) {
      self.number = number
      self.action = action
      self.process = process
      self.begin = begin
      versions = [:]
    }
  }

  private(set) var changes: [Change] = []
  private var changeCount = 0
  /// The versions that were stored before the changes.
  private(set) var former: [Scenario.Key: Int] = [:]
  /// The counts that were stored then.
  private(set) var settledCounts: [Int: Int] = [:]
  /// All versions that may have been stored before.
  private var versionsBefore: [Scenario.Key: Set<Int>] = [:]
  /// The step after which there is no file; nil if there is one.
  var absentSince: Int?
  /// The number of files that were replaced.
  private(set) var replacedCount = 0
  /// The numbers of updates of each counter that were answered with success, and that may have
  /// happened.
  ///
  /// The last two are those of the value and of the file.
  var counted = [Int](repeating: 0, count: Scenario.counterCount + 2)
  var maybeCounted = [Int](repeating: 0, count: Scenario.counterCount + 2)
  /// The updates of each counter that failed.
  var failedToCount = [Int](repeating: 0, count: Scenario.counterCount + 2)
  /// Whether a write to the log has failed: after a death, that commit may be read.
  ///
  /// It can end where a frame of the dead process begins that has the same bytes as its own last
  /// one would have, and is then whole for the next process that reads the log.
  var hasFailedToWrite = false
  private var hasDeaths = false
  /// What has failed although nothing went wrong, or succeeded although it could not.
  var unexpectedFailure: String?
  var mayRevive: Bool { hasFailedToWrite && hasDeaths }
  private var step: Int { Scheduler.current.stepCount }

  /// Records the beginning of an operation; its number is its version.
  func begin(_ action: Scenario.Action, by process: String) -> Change {
    changeCount += 1
    let change = Change(changeCount, action, by: process, at: step)
    changes.append(change)
    return change
  }

  func end(_ change: Change, _ answer: Change.Answer) {
    change.answer = change.isOfFormerFile && answer == .success ? .unknown : answer
    change.end = step
    if answer == .success, !change.versions.isEmpty { noteSuccess(of: change.action, change.begin) }
  }

  /// Records that all operations of a process that have no answer may have happened.
  func processDied(_ name: String) {
    hasDeaths = true
    for change in changes where change.process == name && change.end == nil {
      end(change, .unknown)
      change.isInterrupted = true
    }
  }

  /// Notes the success of what began at a step: not if there was no file to write to.
  func noteSuccess(of action: Any, _ begin: Int) {
    guard let absentSince, begin > absentSince else { return }
    unexpectedFailure = "\(action) was answered with success without a file"
  }

  /// Notes that the file has what was stored at the beginning, as a backup has it.
  func fileWasReplaced() {
    replacedCount += 1
    noteVersions()
    changes.removeAll { $0.end != nil }
    for change in changes { change.isOfFormerFile = true }
    for number in 0...Scenario.counterCount {
      counted[number] = settledCounts[number] ?? 0
      maybeCounted[number] = 0
    }
  }

  private func noteVersions() {
    for (key, version) in former { versionsBefore[key, default: []].insert(version) }
    for change in changes {
      for case (let key, let version?) in change.versions {
        versionsBefore[key, default: []].insert(version)
      }
    }
  }

  /// The most that a counter may have.
  func mostCounted(_ number: Int) -> Int {
    counted[number] + maybeCounted[number] + failedToCount[number]
  }

  /// Whether a version may ever have been stored.
  func mayHaveHad(_ key: Scenario.Key, _ version: Int?) -> Bool {
    noteVersions()
    return version.map { versionsBefore[key]?.contains($0) ?? false } ?? true
  }

  /// Takes what is stored as the beginning of what follows; no process may run.
  func settle(_ stored: [Scenario.Key: Int], counters: [Int: Int]) {
    noteVersions()
    changes = []
    former = stored
    settledCounts.merge(counters) { $1 }
    for (number, count) in counters {
      counted[number] = count
      maybeCounted[number] = 0
    }
  }

  /// Throws unless each stored version is one that the answers allow.
  ///
  /// - Parameter stored: the versions on disk.
  func check(_ stored: [Scenario.Key: Int]) throws(Violation) {
    if let unexpectedFailure { throw Violation(unexpectedFailure) }
    for key in Scenario.Key.all { try check(stored[key], of: key) }
    for change in changes where change.isOlder && change.answer == .success && !change.yields {
      for key in change.versions.keys where key.space == .tags || key.space == .objects {
        try checkKept(key, by: change)
      }
    }
    for change in changes where change.isConditional && change.answer == .success && !mayRevive {
      if change.foundNone {
        try checkAbsent(change)
      } else if !change.versions.keys.allSatisfy({ mayFind(change, $0) }) {
        throw Violation("\(change.number) \(change.action) found an item that was removed")
      }
    }
    try checkAtomicity(stored)
  }

  private func check(_ version: Int?, of key: Scenario.Key) throws(Violation) {
    let writers = changes.filter { $0.versions[key] != nil }
    let overwriters = writers.filter {
      $0.answer == .success && !$0.yields && !(version == nil && $0.isConditional)
    }
    /// Whether a change that ended at a step may be the last.
    func mayBeLast(_ end: Int?) -> Bool {
      guard let end else { return true }
      return !overwriters.contains { $0.begin > end }
    }
    if version == former[key], mayBeLast(-1) { return }
    let candidates = writers.filter { $0.versions[key]! == version }
    let mayBe = candidates.contains { candidate in
      candidate.answer != .failure && mayBeLast(candidate.end) && mayFind(candidate, key)
        && !leaves(candidate, key) && !isWrittenMeanwhile(candidate, key)
        && !overwriters.contains {
          $0.isOrdered && candidate.isOrdered && $0.process == candidate.process
            && $0.number > candidate.number
        }
    }
    if mayBe || mayRevive && candidates.contains(where: { $0.answer == .failure }) { return }
    // What a process that died has put into the log is read as a commit after a crash, unless
    // others have committed since; one that found no item has not.
    let wasAbsent = former[key] == nil && overwriters.allSatisfy(\.isConditional)
    if wasAbsent, candidates.contains(where: \.isInterrupted) { return }
    let history = writers.map {
      "\($0.number) \($0.action) \($0.answer) \($0.begin)-\($0.end ?? -1)"
    }
    throw Violation(
      "\(key) has version \(version.map(String.init) ?? "none"), which no answer allows: "
        + history.joined(separator: "; "))
  }

  /// Whether an update may have found an item: one that no other has surely removed before.
  private func mayFind(_ update: Change, _ key: Scenario.Key) -> Bool {
    guard update.isConditional, !mayRevive else { return true }
    let removals = changes.filter {
      $0.versions[key] == .some(nil) && $0.answer == .success && !$0.yields && $0.isBefore(update)
    }
    if former[key] != nil, removals.isEmpty { return true }
    return changes.contains { maker in
      guard !maker.isConditional, maker.answer != .failure,
        maker.versions[key] == .some(maker.number)
      else { return false }
      // One whose outcome is unknown may be read as a commit later.
      return maker.answer == .unknown || !removals.contains { maker.isBefore($0) }
    }
  }

  /// Throws if an update has found no item where there surely was one.
  private func checkAbsent(_ update: Change) throws(Violation) {
    for key in update.versions.keys {
      let removals = changes.filter {
        $0.versions[key] == .some(nil) && $0.answer != .failure && !update.isBefore($0)
      }
      let makers = changes.filter {
        $0.answer == .success && !$0.isConditional && !$0.yields && $0.isBefore(update)
          && $0.versions[key] == .some($0.number)
      }
      let isThere =
        former[key] != nil && removals.isEmpty
        || makers.contains { maker in
          removals.allSatisfy { $0.answer == .success && $0.isBefore(maker) }
        }
      if isThere { throw Violation("\(update.number) \(update.action) found no item") }
    }
  }

  /// Whether a change removes all, but is of an older program, and a newer one has written the row.
  private func leaves(_ removal: Change, _ key: Scenario.Key) -> Bool {
    guard removal.isOlder, case .removeAll(.tags) = removal.action else { return false }
    return changes.contains {
      !$0.isOlder && $0.answer == .success && !$0.yields && !$0.isConditional
        && $0.versions[key] == .some($0.number) && $0.isBefore(removal)
    }
  }

  /// Whether a row was written by another change of the process, after an optimistic one showed it:
  /// that is not written then.
  private func isWrittenMeanwhile(_ optimistic: Change, _ key: Scenario.Key) -> Bool {
    guard optimistic.isShownAtOnce else { return false }
    return changes.contains { other in
      switch other.action {
      case .add, .remove, .removeAll, .replace: break
      default: return false
      }
      return other.process == optimistic.process && other.begin > optimistic.begin
        && other.answer == .success && other.versions[key] != nil && !other.yields
    }
  }

  /// Throws if an older program was told that it has overwritten or removed a newer one's row.
  private func checkKept(_ key: Scenario.Key, by change: Change) throws(Violation) {
    let newer = changes.last { other in
      !other.isOlder && other.answer == .success && !other.yields && !other.isConditional
        && other.versions[key] == .some(other.number) && other.end! < change.begin
    }
    guard newer != nil || change.newer.contains(key) else { return }
    let mayBeGone = changes.contains { other in
      other.versions[key] == .some(nil) && other.answer != .failure && other !== change
        && (other.end ?? .max) >= newer?.begin ?? 0 && other.begin <= change.end!
    }
    guard !mayBeGone else { return }
    throw Violation(
      "\(change.number) \(change.action) of an older program was answered with success, over "
        + "\(key) of \(newer.map { "\($0.number) \($0.action)" } ?? "a newer one")")
  }

  /// A change is stored as a whole: where one key has its version, no other key has an older one.
  private func checkAtomicity(_ stored: [Scenario.Key: Int]) throws(Violation) {
    for change in changes where change.answer != .failure && change.versions.count > 1 {
      let seen = change.versions.contains {
        $0.value == change.number && stored[$0.key] == $0.value
      }
      guard seen, change.answer == .unknown else { continue }
      // It has happened, so it counts as a success for its other keys.
      for key in change.versions.keys {
        let version = stored[key]
        if version == change.versions[key]! { continue }
        let others = changes.filter { $0 !== change && $0.versions[key] == .some(version) }
        let mayFollow = others.contains { other in
          other.answer != .failure && (other.end.map { $0 >= change.begin } ?? true)
        }
        // The other key may have been overwritten by anything that ended after the beginning.
        if !mayFollow {
          throw Violation(
            "\(change.action), number \(change.number), was stored in part: \(key) has "
              + (version.map(String.init) ?? "nothing"))
        }
      }
    }
  }
}
