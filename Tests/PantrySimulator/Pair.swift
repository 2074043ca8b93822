/// A change that was under way when a fault came.
struct Pair: Hashable, CustomStringConvertible {
  /// What can happen to a change, so that it is lost or made twice.
  enum Fault: String {
    case killed, failedWrite, failedFlush, powerFailure
    /// A server has not made the commit, or has made it; the program knows neither.
    case requestLost, answerLost
  }

  let engine: Scenario.Engine
  let change: Scenario.Change
  let fault: Fault
  /// Whether others of its store were under way, with which it can be one commit.
  let isBatched: Bool

  var description: String {
    "\(engine) \(change) \(fault)\(isBatched ? " batched" : "")"
  }

  /// All that can lose data: each is to occur in one of a hundred schedules.
  static let all: [Pair] = {
    let faults: [(Scenario.Engine, [Fault])] = [
      (.sqlite, [.killed, .failedWrite, .failedFlush, .powerFailure]),
      (.server, [.killed, .requestLost, .answerLost]),
    ]
    var all: [Pair] = []
    for (engine, faults) in faults {
      for fault in faults {
        for change in Scenario.Change.allCases {
          // The file of a value needs no engine, and only SQLite meets older programs here.
          if change == .countInFile || change == .removeIssues, engine != .sqlite { continue }
          for isBatched in change.isShared ? [false, true] : [false] {
            all.append(Pair(engine: engine, change: change, fault: fault, isBatched: isBatched))
          }
        }
      }
    }
    return all
  }()
}

extension Scenario.Action {
  /// The kind of change; nil if nothing is changed.
  var change: Scenario.Change? {
    switch self {
    case .add: .add
    case .remove: .remove
    case .removeAll: .removeAll
    case .replace: .replace
    case .update: .update
    case .merge: .merge
    case .count: .count
    case .countByMerge: .countByMerge
    case .countBoth: .countBoth
    case .countInValue: .countInValue
    case .countInFile: .countInFile
    case .storeObjects: .storeObjects
    case .removeObjects: .removeObjects
    case .transaction: .transaction
    case .optimistic: .optimistic
    case .removeIssues: .removeIssues
    case .value: .value
    case .wait, .close, .backup, .pause: nil
    }
  }

  /// The store whose operations it may be committed with; nil for none.
  fileprivate var batchedWith: Int? {
    switch self {
    case .add(let keys, _), .remove(let keys), .merge(let keys, _): keys[0].space.rawValue
    case .removeAll(let space): space.rawValue
    case .replace(let key, _, _), .update(let key): key.space.rawValue
    case .count, .countByMerge: Scenario.Key.Space.value.rawValue
    default: nil
    }
  }
}

extension [Scenario.Action] {
  /// The pairs of these changes, which are under way in one process, with a fault.
  func pairs(with fault: Pair.Fault, on engine: Scenario.Engine) -> [Pair] {
    compactMap { action in
      guard let change = action.change else { return nil }
      let isBatched = action.batchedWith.map { store in count { $0.batchedWith == store } > 1 }
      return Pair(engine: engine, change: change, fault: fault, isBatched: isBatched ?? false)
    }
  }
}
