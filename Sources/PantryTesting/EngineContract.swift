internal import Foundation
internal import Pantry

/// What every `StorageEngine` promises, as checks that can be run against yours.
///
/// Outside of a test framework:
///
///     try await EngineContract.check(EngineUnderTest { place in try MyEngine(at: place) })
///
/// With Swift Testing, one result for each promise:
///
///     @Test(arguments: EngineContract.allCases)
///     func `my engine keeps its promises`(_ promise: EngineContract) async throws {
///       try await promise.check(EngineUnderTest { place in try MyEngine(at: place) })
///     }
///
/// The suite needs no test framework, waits for nothing, and writes only to directories of its own
/// in the system's directory for temporary files, which it removes.
public enum EngineContract: String, CaseIterable, CustomStringConvertible, Sendable {
  /// A new engine is empty.
  case emptyAtFirst = "a new engine is empty"
  /// What is absent is nil, or is left out, and removing it is no error.
  case absentKeys = "what is absent is nil, or is left out, and removing it is no error"
  /// Data comes back byte for byte: empty, 1 MB, NUL, what is no UTF-8.
  case anyBytes = "data comes back byte for byte: empty, 1 MB, NUL, what is no UTF-8"
  /// Keys come back as they went in, whatever is in them.
  case anyKeys = "keys come back as they went in, whatever is in them"
  /// Keys whose bytes differ are two, also where Swift takes their texts for one.
  case keysByBytes = "keys whose bytes differ are two, also where Swift takes their texts for one"
  /// Everything is listed in insertion order, also when keys do not sort so.
  case insertionOrder = "everything is listed in insertion order, also when keys do not sort so"
  /// Overwriting keeps the position and createdAt.
  case overwriting = "overwriting keeps the position and createdAt"
  /// Of a repeated key in one call the last data wins, in the first position.
  case repeatedKeys = "of a repeated key in one call the last data wins, in the first position"
  /// A key that was removed and is written again comes last.
  case writtenAgain = "a key that was removed and is written again comes last"
  /// Reading many follows the order asked for and leaves out what is absent.
  case batchReads = "reading many follows the order asked for and leaves out what is absent"
  /// Removing one, many and all removes those and no others.
  case removing = "removing one, many and all removes those and no others"
  /// CreatedAt and updatedAt tell when a key was first and last written.
  case times = "createdAt and updatedAt tell when a key was first and last written"
  /// A commit applies its changes in their order.
  case commitOrder = "a commit applies its changes in their order"
  /// A call with nothing to do does nothing.
  case emptyCalls = "a call with nothing to do does nothing"
  /// 1,000 concurrent writes all arrive.
  case concurrentWrites = "1,000 concurrent writes all arrive"
  /// 10,000 keys go through one call each way.
  case manyKeys = "10,000 keys go through one call each way"
  /// Nobody reads a part of a commit.
  case wholeCommits = "nobody reads a part of a commit"
  /// A commit that fails leaves nothing behind.
  case failedCommits = "a commit that fails leaves nothing behind"
  /// Opened again, everything is as it was: keys, data, order and times.
  case relaunch = "opened again, everything is as it was: keys, data, order and times"
  /// Opened again after removals and overwriting, the order is the same.
  case relaunchAfterChanges = "opened again after removals and overwriting, the order is the same"
  /// A follower reads everything in its order, and then nothing.
  case firstReading = "a follower reads everything in its order, and then nothing"
  /// What another engine adds, overwrites and removes is delivered as it is then.
  case othersChanges = "what another engine adds, overwrites and removes is delivered as it is then"
  /// A follower is told of what another engine writes.
  case telling = "a follower is told of what another engine writes"
  /// After a commit of its own a follower has what is there, and the positions of its new rows.
  case ownCommits =
    "after a commit of its own a follower has what is there, and the positions of its new rows"
  /// A commit whose basis another has changed writes nothing, and says what has changed.
  case conflicts =
    "a commit whose basis another has changed writes nothing, and says what has changed"
  /// What another has changed beside the basis is no conflict.
  case otherKeys = "what another has changed beside the basis is no conflict"
  /// A key that another removes and writes again comes last.
  case othersOrder = "a key that another removes and writes again comes last"
  /// After another has removed all, a follower has what was written since.
  case othersClearing = "after another has removed all, a follower has what was written since"
  /// Two who write at once lose nothing and agree.
  case convergence = "two who write at once lose nothing and agree"

  /// The promise as a sentence.
  public var description: String { rawValue }

  /// Tells whether an engine of this kind makes the promise at all.
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
  /// - Throws: ``BrokenContract`` with all that failed. An error of the engine counts as a promise
  ///   that was not kept.
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
  /// - Throws: ``BrokenPromise``, or what the engine throws.
  public func check(_ subject: EngineUnderTest) async throws {
    guard applies(to: subject) else { return }
    let place = FileManager.default.temporaryDirectory
      .appending(path: "pantry-contract-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    // What cannot be removed is left to the system's own cleaning.
    defer { try? FileManager.default.removeItem(at: place) }  // else the system cleans up
    try await run(subject, place)
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
    case .relaunch: try await checkRelaunch(subject, place)
    case .relaunchAfterChanges: try await checkRelaunchAfterChanges(subject, place)
    case .firstReading: try await checkFirstReading(subject, place)
    case .othersChanges: try await checkOthersChanges(subject, place)
    case .telling: try await checkTelling(subject, place)
    case .ownCommits: try await checkOwnCommits(subject, place)
    case .conflicts: try await checkConflicts(subject, place)
    case .otherKeys: try await checkOtherKeys(subject, place)
    case .othersOrder: try await checkOthersOrder(subject, place)
    case .othersClearing: try await checkOthersClearing(subject, place)
    case .convergence: try await checkConvergence(subject, place)
    }
  }
}
