internal import Glibc
internal import SystemSupport

/// What the process does before it ends, the newest first.
enum Teardown {
  private static let actions = Lock<[@Sendable () -> Void]>([])
  private static let registered: Void = {
    atexit { for action in Teardown.actions.withLock(\.self).reversed() { action() } }
  }()

  /// Adds an action for the end of the process.
  static func add(_ action: @escaping @Sendable () -> Void) {
    registered
    actions.withLock { $0.append(action) }
  }
}
