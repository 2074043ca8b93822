internal import Dispatch
internal import Synchronization

/// Collects what happens in a directory of items until it is asked for.
///
/// Where a directory cannot be watched, it asks for a look twice a second.
///
/// Sendable because its variables are used on `queue` only.
final class DiskWatcher: @unchecked Sendable {
  /// What has happened.
  struct Events {
    /// The items whose files came or went.
    var named: Set<ContentDigest> = []
    /// The items whose files were written to where they are.
    var written: Set<ContentDigest> = []
    /// Whether something more happened, nobody knows what.
    var isIncomplete = false
    /// Whether it is time to look, since nobody tells what happens.
    var isPoll = false

    var isEmpty: Bool { named.isEmpty && written.isEmpty && !isIncomplete && !isPoll }

    mutating func add(_ other: Events) {
      guard !other.isEmpty else { return }
      named.formUnion(other.named)
      written.formUnion(other.written)
      isIncomplete = isIncomplete || other.isIncomplete
      isPoll = isPoll || other.isPoll
    }
  }

  private struct Collected {
    var events = Events()
    /// Whether every change is told, and no other way to notice one is needed.
    var isWatching = false
    /// Whether a look has been asked for that has not begun.
    var isAsking = false
    /// Whether one is going to be asked for, since one has failed.
    var willAskAgain = false
  }

  private static let pollInterval = DispatchTimeInterval.milliseconds(500)

  /// Not the engine's: the kernel's queue must be emptied while a long commit is under way.
  private let queue = DispatchQueue(label: "pantry.watch", qos: .userInitiated)
  private let path: String
  private let polls: Bool
  private let collected = Mutex(Collected())

  private var watch: DirectoryWatch?
  private var timer: (any DispatchSourceTimer)?
  private var onEvents: (@Sendable () -> Void)?

  /// - Parameter polls: asks twice a second, as if the directory could not be watched.
  init(_ path: String, polls: Bool) {
    self.path = path
    self.polls = polls
  }

  deinit { timer?.cancel() }

  /// Whether every change is told.
  var isWatching: Bool { collected.withLock(\.isWatching) }

  /// Begins to watch, once; when this returns, nothing that happens from now on is missed.
  ///
  /// - Parameter onEvents: called on a queue of its own when there is something to take.
  func start(_ onEvents: @escaping @Sendable () -> Void) {
    queue.sync {
      guard self.onEvents == nil else { return }
      self.onEvents = onEvents
      begin()
    }
  }

  /// Notes that the look begins that was asked for: what happens from now on asks for another one.
  func lookBegins() { collected.withLock { $0.isAsking = false } }

  /// Hands over what has happened since the last call.
  func take() -> Events {
    collected.withLock { collected in
      guard !collected.events.isEmpty else { return Events() }
      defer { collected.events = Events() }
      return collected.events
    }
  }

  /// Asks for another look in a moment, since one has failed.
  func askAgain() {
    let isScheduled = collected.withLock { collected in
      defer { collected.willAskAgain = true }
      return collected.willAskAgain
    }
    guard !isScheduled else { return }
    queue.asyncAfter(deadline: .now() + Self.pollInterval) { [weak self] in
      guard let self else { return }
      collected.withLock { $0.willAskAgain = false }
      if onEvents != nil { collect(Events(isPoll: true)) }
    }
  }

  // MARK: On the queue

  private func begin() {
    watch = polls ? nil : directoryWatch()
    collected.withLock { $0.isWatching = watch != nil }
    guard watch == nil, timer == nil else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + Self.pollInterval, repeating: Self.pollInterval,
      leeway: .milliseconds(50))
    timer.setEventHandler { [weak self] in self?.poll() }
    timer.resume()
    self.timer = timer
  }

  private func directoryWatch() -> DirectoryWatch? {
    DirectoryWatch(path, on: queue) { [weak self] in self?.handle($0) }
  }

  private func poll() {
    // A directory that was gone may be there again.
    if !polls, let watch = directoryWatch() {
      self.watch = watch
      timer?.cancel()
      timer = nil
      collected.withLock { $0.isWatching = true }
      collect(Events(isIncomplete: true))
    } else {
      collect(Events(isPoll: true))
    }
  }

  private func handle(_ told: DirectoryWatch.Events) {
    if told.isOver {
      watch = nil
      begin()
    }
    var events = Events(isIncomplete: told.isIncomplete || told.isOver)
    var isForAll = false
    for name in told.named {
      if let digest = DiskFileName.item(name) {
        events.named.insert(digest)
      } else if name == DiskFileName.lock || name == DiskFileName.journal {
        isForAll = true
      }
    }
    for name in told.written {
      if let digest = DiskFileName.item(name) {
        events.written.insert(digest)
      } else if name == DiskFileName.lock {
        isForAll = true
      }
    }
    if isForAll || !events.isEmpty { collect(events) }
  }

  private func collect(_ events: Events) {
    let isAsking = collected.withLock { collected in
      collected.events.add(events)
      defer { collected.isAsking = true }
      return collected.isAsking
    }
    if !isAsking { onEvents?() }
  }
}
