internal import Dispatch
internal import Locking

/// Collects the changes in a directory of items until they are taken.
///
/// If the directory cannot be watched, it polls twice a second.
///
/// Sendable because its variables are used on `queue` only.
final class DiskWatcher: @unchecked Sendable {
  /// The collected changes.
  struct Events {
    /// The items whose files were added or removed.
    var named: Set<ContentDigest> = []
    /// The items whose files were written in place.
    var written: Set<ContentDigest> = []
    /// Whether events were lost.
    var isIncomplete = false
    /// Whether it is a poll, which may have found nothing.
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
    /// Whether every change is reported, so that polling is not needed.
    var isWatching = false
    /// Whether a requested check has not begun yet.
    var checkIsRequested = false
    /// Whether a retry is scheduled after a failed check.
    var retryIsScheduled = false
  }

  private static let pollInterval = DispatchTimeInterval.milliseconds(500)

  /// Not the engine's queue: the kernel's queue must be emptied even during a long commit.
  private let queue = DispatchQueue(label: "pantry.watch", qos: .userInitiated)
  private let path: String
  private let polls: Bool
  private let collected = Lock(Collected())

  private var watch: DirectoryWatch?
  private var timer: (any DispatchSourceTimer)?
  private var onEvents: (@Sendable () -> Void)?

  /// - Parameter polls: whether to poll twice a second, as if the directory could not be watched.
  init(_ path: String, polls: Bool) {
    self.path = path
    self.polls = polls
  }

  deinit { timer?.cancel() }

  /// Whether every change is reported.
  var isWatching: Bool { collected.withLock(\.isWatching) }

  /// Starts watching, once; no change after this returns is missed.
  ///
  /// - Parameter onEvents: called on a private queue when there are changes to take.
  func start(_ onEvents: @escaping @Sendable () -> Void) {
    queue.sync {
      guard self.onEvents == nil else { return }
      self.onEvents = onEvents
      begin()
    }
  }

  /// Marks the start of a requested check: later changes request another one.
  func checkBegins() { collected.withLock { $0.checkIsRequested = false } }

  /// Returns the changes since the last call.
  func take() -> Events {
    collected.withLock { collected in
      guard !collected.events.isEmpty else { return Events() }
      defer { collected.events = Events() }
      return collected.events
    }
  }

  /// Requests another check soon, after a failed one.
  func retryLater() {
    let isScheduled = collected.withLock { collected in
      defer { collected.retryIsScheduled = true }
      return collected.retryIsScheduled
    }
    guard !isScheduled else { return }
    queue.asyncAfter(deadline: .now() + Self.pollInterval) { [weak self] in
      guard let self else { return }
      collected.withLock { $0.retryIsScheduled = false }
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
    // A missing directory may be there again.
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

  private func handle(_ reported: DirectoryWatch.Events) {
    if reported.isOver {
      watch = nil
      begin()
    }
    var events = Events(isIncomplete: reported.isIncomplete || reported.isOver)
    var isForAll = false
    for name in reported.named {
      if let digest = DiskFileName.item(name) {
        events.named.insert(digest)
      } else if name == DiskFileName.lock || name == DiskFileName.journal {
        isForAll = true
      }
    }
    for name in reported.written {
      if let digest = DiskFileName.item(name) {
        events.written.insert(digest)
      } else if name == DiskFileName.lock {
        isForAll = true
      }
    }
    if isForAll || !events.isEmpty { collect(events) }
  }

  private func collect(_ events: Events) {
    let checkIsRequested = collected.withLock { collected in
      collected.events.add(events)
      defer { collected.checkIsRequested = true }
      return collected.checkIsRequested
    }
    if !checkIsRequested { onEvents?() }
  }
}
