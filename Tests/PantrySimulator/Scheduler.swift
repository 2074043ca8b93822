/// All work of all simulated processes, on one thread: a seed decides which piece runs next.
///
/// Work of the main actor and of each queue runs in the order in which it came, as the system's
/// does; all else runs in any order. Time is virtual: it passes when nothing can run, and now and
/// then while something can, as on a busy machine.
final class Scheduler: @unchecked Sendable {
  /// The scheduler of the running schedule.
  nonisolated(unsafe) static var current = Scheduler(seed: 0)

  typealias Work = () -> Void

  private struct Timer {
    let due: Duration
    let number: Int
    let work: Work
  }

  var random: RandomStream
  private var mainWork: [Work] = []
  private var freeWork: [Work] = []
  private var queues: [SimulatedQueue] = []
  private var timers: [Timer] = []
  private var timerCount = 0
  /// The time since the beginning, which pauses of a thread prolong.
  var uptime = Duration.zero
  private(set) var stepCount = 0
  /// The queues whose work is running, the innermost last.
  var running: [SimulatedQueue] = []
  var trace: Trace
  /// Called after each step.
  var afterStep: () -> Void = {}

  init(seed: UInt64, isTraced: Bool = false) {
    random = RandomStream(seed: seed)
    trace = Trace(keepsLines: isTraced)
  }

  func addMain(_ work: @escaping Work) { mainWork.append(work) }

  func addFree(_ work: @escaping Work) { freeWork.append(work) }

  func addReady(_ queue: SimulatedQueue) { queues.append(queue) }

  func removeReady(_ queue: SimulatedQueue) { queues.removeAll { $0 === queue } }

  /// Adds work for later; returns its number.
  @discardableResult
  func addTimer(after delay: Duration, _ work: @escaping Work) -> Int {
    timerCount += 1
    let timer = Timer(due: uptime + delay, number: timerCount, work: work)
    let index = timers.firstIndex { $0.due > timer.due } ?? timers.endIndex
    timers.insert(timer, at: index)
    return timer.number
  }

  /// Removes a timer; false if it has fired.
  @discardableResult
  func removeTimer(_ number: Int) -> Bool {
    guard let index = timers.firstIndex(where: { $0.number == number }) else { return false }
    timers.remove(at: index)
    return true
  }

  /// Whether nothing can run until time passes.
  var isQuiet: Bool { mainWork.isEmpty && freeWork.isEmpty && queues.isEmpty }

  /// Runs one piece of work; false if there is none.
  func step() -> Bool {
    let readyCount = (mainWork.isEmpty ? 0 : 1) + freeWork.count + queues.count
    let passesTime = readyCount == 0 || !timers.isEmpty && random.oneIn(32)
    if passesTime {
      guard !timers.isEmpty else { return false }
      let timer = timers.removeFirst()
      uptime = max(uptime, timer.due)
      stepCount += 1
      trace.note("time \(uptime.milliseconds) ms")
      timer.work()
      afterStep()
      return true
    }
    var choice = readyCount > 1 ? random.below(readyCount) : 0
    stepCount += 1
    if !mainWork.isEmpty {
      if choice == 0 {
        trace.note("main")
        mainWork.removeFirst()()
        afterStep()
        return true
      }
      choice -= 1
    }
    if choice < freeWork.count {
      trace.note("free \(choice) of \(freeWork.count)")
      let work = freeWork.remove(at: choice)
      work()
    } else {
      let queue = queues[choice - freeWork.count]
      trace.note(queue.label)
      queue.runNext()
    }
    afterStep()
    return true
  }

  /// Runs until `isDone`.
  ///
  /// - Throws: ``Violation`` if nothing is left to run before, or after too many steps.
  func run(limit: Int = 400_000, until isDone: () -> Bool) throws(Violation) {
    let end = stepCount + limit
    while !isDone() {
      guard step() else { throw Violation("nothing is left to run, and something waits") }
      guard stepCount < end else { throw Violation("\(limit) steps did not reach the end") }
    }
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}

/// The steps of a schedule: a digest that two runs can compare, and their lines if asked for.
struct Trace {
  let keepsLines: Bool
  private(set) var lines: [String] = []
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

  init(keepsLines: Bool) { self.keepsLines = keepsLines }

  mutating func note(_ line: String) {
    if keepsLines { lines.append(line) }
    // FNV-1a (draft-eastlake-fnv).
    for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}

/// A promise that a schedule has broken.
struct Violation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
