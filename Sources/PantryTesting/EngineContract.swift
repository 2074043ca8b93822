internal import Foundation
internal import Pantry

/// The promises of every `StorageEngine`, as checks to run against your engine.
///
/// Outside of a test framework:
///
///     try await EngineContract.check(EngineUnderTest { place in try MyEngine(at: place) })
///
/// With Swift Testing, one result per promise:
///
///     @Test(arguments: EngineContract.allCases)
///     func `my engine keeps its promises`(_ promise: EngineContract) async throws {
///       try await promise.check(EngineUnderTest { place in try MyEngine(at: place) })
///     }
///
/// The suite needs no test framework. It writes only to new directories in the system's directory
/// for temporary files, and removes them.
public enum EngineContract: String, CaseIterable, CustomStringConvertible, Sendable {
  /// A new engine is empty.
  case emptyAtFirst = "a new engine is empty"
  /// An absent key is nil, or is left out, and removing it is no error.
  case absentKeys = "an absent key is nil, or is left out, and removing it is no error"
  /// Data comes back byte for byte: empty, 1 MB, NUL, invalid UTF-8.
  case anyBytes = "data comes back byte for byte: empty, 1 MB, NUL, invalid UTF-8"
  /// Keys come back unchanged, whatever their characters.
  case anyKeys = "keys come back unchanged, whatever their characters"
  /// Keys with different bytes are different, even if Swift's strings are equal.
  case keysByBytes = "keys with different bytes are different, even if Swift's strings are equal"
  /// Everything is listed in insertion order, not in the order of keys.
  case insertionOrder = "everything is listed in insertion order, not in the order of keys"
  /// Overwriting keeps the position and createdAt.
  case overwriting = "overwriting keeps the position and createdAt"
  /// If a key repeats in one call, the last data wins, at the first position.
  case repeatedKeys = "if a key repeats in one call, the last data wins, at the first position"
  /// A key removed and written again comes last.
  case writtenAgain = "a key removed and written again comes last"
  /// Reading many follows the order of the keys and skips absent ones.
  case batchReads = "reading many follows the order of the keys and skips absent ones"
  /// Removing one, many and all removes those and no others.
  case removing = "removing one, many and all removes those and no others"
  /// CreatedAt and updatedAt are the times of the first and the last write.
  case times = "createdAt and updatedAt are the times of the first and the last write"
  /// A commit applies its changes in their order.
  case commitOrder = "a commit applies its changes in their order"
  /// A call with nothing to do does nothing.
  case emptyCalls = "a call with nothing to do does nothing"
  /// 1,000 concurrent writes all arrive.
  case concurrentWrites = "1,000 concurrent writes all arrive"
  /// 10,000 keys go through one call each way.
  case manyKeys = "10,000 keys go through one call each way"
  /// No reader sees a part of a commit.
  case wholeCommits = "no reader sees a part of a commit"
  /// A commit that fails leaves nothing behind.
  case failedCommits = "a commit that fails leaves nothing behind"
  /// No store overwrites or removes a row of a newer program.
  case newerRows = "no store overwrites or removes a row of a newer program"
  /// Reopening restores everything: keys, data, order and times.
  case relaunch = "reopening restores everything: keys, data, order and times"
  /// Reopening after removals and overwriting keeps the order.
  case relaunchAfterChanges = "reopening after removals and overwriting keeps the order"
  /// A recorded definition is replaced only by who knows it, and survives clearing and reopening.
  case definitions =
    "a recorded definition is replaced only by who knows it, and outlives clearing and reopening"
  /// A follower first reads everything in order, and then nothing.
  case firstReading = "a follower first reads everything in order, and then nothing"
  /// Additions, overwrites and removals of another engine are delivered in their final state.
  case othersChanges = "another engine's changes are delivered in their final state"
  /// A follower is notified of another engine's writes.
  case telling = "a follower is notified of another engine's writes"
  /// After its own commit a follower is up to date, and knows the positions of its new rows.
  case ownCommits =
    "after its own commit a follower is up to date, and knows its new rows' positions"
  /// A commit whose basis was changed by another writes nothing, and returns the changes.
  case conflicts =
    "a commit whose basis was changed by another writes nothing, and returns the changes"
  /// A change of another outside the basis is no conflict.
  case otherKeys = "a change of another outside the basis is no conflict"
  /// A key that another removes and writes again comes last.
  case othersOrder = "a key that another removes and writes again comes last"
  /// After another has removed everything, a follower has only later writes.
  case othersClearing = "after another has removed everything, a follower has only later writes"
  /// Two concurrent writers lose nothing and converge.
  case convergence = "two concurrent writers lose nothing and converge"

  /// The promise as a sentence.
  public var description: String { rawValue }

  /// Returns whether an engine of this kind makes the promise.
  public func applies(to subject: EngineUnderTest) -> Bool {
    switch self {
    case .relaunch, .relaunchAfterChanges: subject.isPersistent
    case .wholeCommits: subject.commitsAreAtomic
    case .failedCommits: subject.commitsAreAtomic && subject.refuse != nil
    case .firstReading, .othersChanges, .telling, .ownCommits, .conflicts, .otherKeys,
      .othersOrder, .othersClearing, .convergence:
      subject.isLive
    default: true
    }
  }

  /// Checks every promise that applies.
  ///
  /// - Throws: ``BrokenContract`` with all failures. An error of the engine counts as a broken
  ///   promise.
  public static func check(_ subject: EngineUnderTest) async throws {
    var broken: [BrokenPromise] = []
    for promise in allCases {
      do {
        try await promise.check(subject)
      } catch let error as BrokenPromise {
        broken.append(error)
      } catch {
        broken.append(BrokenPromise(promise: promise, detail: "it throws \(error)"))
      }
    }
    if !broken.isEmpty { throw BrokenContract(promises: broken) }
  }

  /// Checks this promise on an engine at a fresh place; does nothing if it does not apply.
  ///
  /// - Throws: ``BrokenPromise``, or the engine's error.
  public func check(_ subject: EngineUnderTest) async throws {
    guard applies(to: subject) else { return }
    let place = FileManager.default.temporaryDirectory
      .appending(path: "pantry-contract-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    // Failing leaves it to the system.
    defer { try? FileManager.default.removeItem(at: place) }
    try await subject.closingEngines { try await run($0, place) }
  }

  private func run(_ subject: EngineUnderTest, _ place: URL) async throws {
    switch self {
    case .emptyAtFirst: try await checkEmptyAtFirst(subject.open(place))
    case .absentKeys: try await checkAbsentKeys(subject.open(place))
    case .anyBytes: try await checkAnyBytes(subject.open(place))
    case .anyKeys: try await checkAnyKeys(subject.open(place))
    case .keysByBytes: try await checkKeysByBytes(subject.open(place))
    case .insertionOrder: try await checkInsertionOrder(subject.open(place))
    case .overwriting: try await checkOverwriting(subject.open(place))
    case .repeatedKeys: try await checkRepeatedKeys(subject.open(place))
    case .writtenAgain: try await checkWrittenAgain(subject.open(place))
    case .batchReads: try await checkBatchReads(subject.open(place))
    case .removing: try await checkRemoving(subject.open(place))
    case .times: try await checkTimes(subject.open(place))
    case .commitOrder: try await checkCommitOrder(subject.open(place))
    case .emptyCalls: try await checkEmptyCalls(subject.open(place))
    case .concurrentWrites: try await checkConcurrentWrites(subject.open(place))
    case .manyKeys: try await checkManyKeys(subject.open(place))
    case .wholeCommits: try await checkWholeCommits(subject.open(place))
    case .failedCommits: try await checkFailedCommits(subject, place)
    case .newerRows: try await checkNewerRows(subject.open(place))
    case .relaunch: try await checkRelaunch(subject, place)
    case .relaunchAfterChanges: try await checkRelaunchAfterChanges(subject, place)
    case .definitions: try await checkDefinitions(subject, place)
    case .firstReading: try await checkFirstReading(subject, place)
    case .othersChanges: try await checkOthersChanges(subject, place)
    case .telling: try await checkNotifying(subject, place)
    case .ownCommits: try await checkOwnCommits(subject, place)
    case .conflicts: try await checkConflicts(subject, place)
    case .otherKeys: try await checkOtherKeys(subject, place)
    case .othersOrder: try await checkOthersOrder(subject, place)
    case .othersClearing: try await checkOthersClearing(subject, place)
    case .convergence: try await checkConvergence(subject, place)
    }
  }
}
