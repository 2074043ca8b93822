internal import Dispatch
internal import Glibc
internal import SystemSupport

/// Finishes the work of this process when it ends by `exit`, as at the end of `main`.
///
/// The calling thread may hold any lock and run on any queue, so the work is done on others, and
/// waited for only for a moment. Nothing may depend on it: a process that is killed, or ends by
/// `_exit`, does none of it. A child of `fork` does none either, since it has no other threads.
enum ExitHook {
  private static let patience = DispatchTimeInterval.seconds(2)

  private static let works = Lock<[@Sendable () -> Void]>([])

  /// The process in which the hook is installed.
  private static let process: pid_t = {
    atexit { ExitHook.run() }
    return getpid()
  }()

  /// Adds work, which must cope with threads that continue.
  static func add(_ work: @escaping @Sendable () -> Void) {
    works.withLock { $0.append(work) }
    _ = process
  }

  private static func run() {
    guard getpid() == process else { return }
    let group = DispatchGroup()
    for work in works.withLock(\.self) {
      DispatchQueue(label: "pantry.exit").async(group: group, execute: work)
    }
    _ = group.wait(timeout: .now() + patience)
  }
}
