import Foundation

@testable import PandaTUI

/// A clock that a test turns.
@MainActor
final class TestClock: AppClock {
  /// The date at which programs start.
  nonisolated static let start = Date(timeIntervalSince1970: 1_790_000_000)

  private(set) var moment = Duration.zero
  /// How far the wall clock was set, in seconds; waits do not depend on it.
  var jump: TimeInterval = 0
  var date: Date { Self.start + jump + moment / .seconds(1) }
  private var waiting: [(due: Duration, action: @MainActor () -> Void)] = []

  /// How many delays have not ended.
  var waitingCount: Int { waiting.count }

  func after(_ delay: Duration, _ action: @escaping @MainActor () -> Void) {
    waiting.append((moment + delay, action))
  }

  /// Lets time pass while the program is busy: no delay ends in it.
  func pass(_ duration: Duration) { moment += duration }

  /// Lets time pass: the delays that end run in their order.
  func advance(by duration: Duration) {
    let end = moment + duration
    while let next = waiting.indices.filter({ waiting[$0].due <= end })
      .min(by: { waiting[$0].due < waiting[$1].due })
    {
      let (due, action) = waiting.remove(at: next)
      moment = max(moment, due)
      action()
    }
    moment = max(moment, end)
  }
}
