internal import Dispatch

/// Collects the changes in a directory of items until they are taken.
///
/// The kernel reports a change before the call that makes it returns, so taking the changes under
/// the lock returns all that others have made under it.
///
/// Sendable because its variables are used on `queue` only.
final class DiskWatcher: @unchecked Sendable {
  /// Not the engine's queue: the kernel's queue must be emptied even during a long commit.
  private let queue = DispatchQueue(label: "pantry.watch", qos: .userInitiated)
  private let path: String
  private let polls: Bool

  private var watch: DirectoryWatch?
  /// The items whose files have changed.
  private var changed: Set<ContentDigest> = []
  /// Whether all changes since the last ``take()`` are known.
  private var isComplete = false
  private var onChange: (@Sendable () -> Void)?
  /// Whether `onChange` was called since the last ``take()``.
  private var isReported = false
  /// Whether `onChange` will be called in a moment.
  private var isWaiting = false

  /// - Parameter polls: whether to behave as if the directory could not be watched.
  init(_ path: String, polls: Bool) {
    self.path = path
    self.polls = polls
  }

  /// Returns the items whose files have changed since the last call; nil if any may have.
  func take() -> Set<ContentDigest>? {
    queue.sync {
      if let watch { add(watch.read()) }
      if watch == nil, !polls {
        watch = DirectoryWatch(path, on: queue) { [weak self] in self?.handle($0) }
      }
      if watch == nil { reportLater() }
      defer { (changed, isComplete, isReported) = ([], watch != nil, false) }
      return isComplete ? changed : nil
    }
  }

  /// Watches the directory that is at the path now.
  func startOver() { queue.sync { (watch, isComplete) = (nil, false) } }

  /// Begins to call `onChange`, on a private queue, when there may be changes to take.
  func report(_ onChange: @escaping @Sendable () -> Void) {
    queue.sync { self.onChange = onChange }
  }

  /// Calls `onChange` in half a second: after an error, or if the directory cannot be watched.
  func reportLater() {
    queue.async { [self] in
      guard !isWaiting, let onChange else { return }
      isWaiting = true
      queue.asyncAfter(deadline: .now() + .milliseconds(500)) { [weak self] in
        self?.isWaiting = false
        onChange()
      }
    }
  }

  private func handle(_ events: DirectoryWatch.Events) {
    add(events)
    let matters = !isComplete || !changed.isEmpty || events.named.contains(DiskFileName.journal)
    guard matters, !isReported else { return }
    isReported = true
    onChange?()
  }

  private func add(_ events: DirectoryWatch.Events) {
    if events.isOver { watch = nil }
    if events.isOver || events.isIncomplete { isComplete = false }
    changed.formUnion(events.named.union(events.written).compactMap(DiskFileName.item))
  }
}
