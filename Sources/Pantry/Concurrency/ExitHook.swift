internal import Dispatch
internal import Glibc
internal import Locking

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
    // A thread in `exit` waits for no handler that another one runs (before glibc 2.41), and would
    // end the process meanwhile. With one for each of so many threads, all wait for the work.
    for _ in 0..<16 { atexit { ExitHook.run() } }
    return getpid()
  }()

  /// Adds work, which must cope with threads that continue.
  static func add(_ work: @escaping @Sendable () -> Void) {
    works.withLock { $0.append(work) }
    _ = process
  }

  private struct State {
    var group: DispatchGroup?
    var hasEnded = false
  }

  private static let state = Lock(State())

  private static func run() {
    guard getpid() == process, !state.withLock(\.hasEnded) else { return }
    let group = state.withLock { state in
      if let group = state.group { return group }
      let group = DispatchGroup()
      for work in works.withLock(\.self) {
        DispatchQueue(label: "pantry.exit").async(group: group, execute: work)
      }
      state.group = group
      return group
    }
    _ = group.wait(timeout: .now() + patience)
    state.withLock { $0.hasEnded = true }
  }
}
