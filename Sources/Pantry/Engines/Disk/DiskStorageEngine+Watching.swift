/// The kernel reports a change before the call that makes it returns, so the changes taken under
/// the lock are all that others have made under it.
extension DiskStorageEngine {
  /// Returns the items whose files have changed since the last call; nil if any may have.
  func takeChanges() -> Set<ContentDigest>? {
    if let watch { note(watch.read()) }
    let taken = watch == nil ? nil : changed
    if watch == nil, !polls {
      watch = ProcessContext.current.services.watch(path, on: executor.queue) {
        [weak self] events in
        self?.assumeIsolated {
          $0.note(events)
          if $0.changed != [] || events.named.contains(DiskFileName.journal) { $0.check() }
        }
      }
    }
    if watch == nil { checkLater() }
    changed = []
    return taken
  }

  private func note(_ events: DirectoryEvents) {
    changed?.formUnion(events.named.union(events.written).compactMap(DiskFileName.item))
    if events.isOver { watch = nil }
    if events.isOver || events.isIncomplete { changed = nil }
  }

  /// Checks in half a second: after an error, or if the directory cannot be watched.
  func checkLater() {
    guard !isWaiting, !followers.all.isEmpty else { return }
    isWaiting = true
    executor.queue.async(after: .milliseconds(500)) { [weak self] in
      self?.assumeIsolated {
        $0.isWaiting = false
        $0.check()
      }
    }
  }

  /// Reads what has changed, and tells the followers.
  private func check() {
    // The error is thrown to the next caller that reads, and the check is repeated.
    if !followers.all.isEmpty { try? access {} }  // see above
  }
}
