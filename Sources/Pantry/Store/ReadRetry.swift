/// Another attempt to read the writes of others after one that failed.
@MainActor
final class ReadRetry {
  private let services = ProcessContext.current.services
  /// How long the last attempt waited; nil unless the last reading failed.
  private var interval: Duration?
  private var task: Task<Void, Never>?

  /// Calls `read` after a while, which doubles with each failure, unless an attempt is waiting.
  func begin(_ read: @escaping @MainActor () -> Void) {
    guard task == nil else { return }
    let interval = interval.map { min($0 * 2, .seconds(60)) } ?? .milliseconds(64)
    self.interval = interval
    task = Task { [weak self, services] in
      do { try await services.sleep(for: interval) } catch { return }
      // It may have been canceled after its sleep.
      guard let self, !Task.isCancelled else { return }
      task = nil
      read()
    }
  }

  /// Ends the attempts.
  func end() {
    task?.cancel()
    (task, interval) = (nil, nil)
  }
}
