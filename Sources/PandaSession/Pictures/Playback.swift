/// Says which frame of an animation is due, and when the next one is.
///
/// Pure: the moments are those of a clock. Frames that are late are left out.
package struct Playback: Hashable, Sendable {
  /// The bytes that the frames of an animation may take.
  package static let memory = 64 << 20

  private let durations: [Duration]
  private let loopCount: Int?
  private let total: Duration

  /// The number of the frame that is due.
  package private(set) var index = 0

  /// Whether the last loop has ended; its last frame stays.
  package private(set) var isOver = false

  private var finishedLoops = 0
  private var state: State

  private enum State: Hashable {
    /// The frame ends at this moment.
    case running(until: Duration)
    /// The frame has this long left.
    case stopped(left: Duration)
  }

  /// Creates a playback that is stopped at the first frame.
  ///
  /// - Parameters:
  ///   - durations: how long each frame is shown; there is at least one, and all are positive.
  ///   - loopCount: how often they are shown; nil means without end.
  package init(durations: [Duration], loopCount: Int?) {
    precondition(!durations.isEmpty && durations.allSatisfy { $0 > .zero })
    self.durations = durations
    self.loopCount = loopCount
    total = durations.reduce(.zero, +)
    state = .stopped(left: durations[0])
  }

  /// Goes on from where it was stopped.
  package mutating func run(at moment: Duration) {
    if case .stopped(let left) = state { state = .running(until: moment + left) }
  }

  package mutating func stop(at moment: Duration) {
    advance(to: moment)
    if case .running(let end) = state { state = .stopped(left: max(.zero, end - moment)) }
  }

  /// Goes to the frame that is due at a moment.
  package mutating func advance(to moment: Duration) {
    guard !isOver, case .running(var end) = state else { return }
    // Whole loops at once: the program may have been suspended for days.
    let missed = Int((moment - end) / total)
    if missed > 0 {
      end += total * missed
      finishedLoops += missed
    }
    while end <= moment, !isOver {
      index += 1
      if index == durations.count {
        index = 0
        finishedLoops += 1
      }
      end += durations[index]
      endIfDone()
    }
    endIfDone()
    state = .running(until: end)
  }

  /// Returns the time until the next frame; nil for none, or while playback is stopped.
  package func nextFrame(after moment: Duration) -> Duration? {
    guard !isOver, case .running(let end) = state else { return nil }
    return max(.zero, end - moment)
  }

  private mutating func endIfDone() {
    guard let loopCount, finishedLoops >= loopCount else { return }
    isOver = true
    index = durations.count - 1
  }
}
