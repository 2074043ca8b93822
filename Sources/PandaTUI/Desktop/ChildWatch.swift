internal import Glibc
internal import Synchronization

/// Waits for a child process and tells its ending once: when it ends, or when patience does.
///
/// Whichever comes first, the child is reaped.
final class ChildWatch: Sendable {
  private struct State {
    var isReaped = false
    var tell: (@Sendable (ChildProgram.Ending) -> Void)?
  }

  private let process: pid_t
  private let state: Mutex<State>

  /// Begins to watch a child of this process.
  ///
  /// - Parameter tell: called once, on any thread.
  init(_ process: pid_t, tell: @escaping @Sendable (ChildProgram.Ending) -> Void) {
    self.process = process
    state = Mutex(State(tell: tell))
  }

  /// Tells `.running` when the patience is over and the child is not.
  func giveUp(after patience: Duration, _ impatience: ChildProgram.Impatience) {
    Task {
      // Sleeping fails only in a task that is canceled, which this one never is.
      try? await Task.sleep(for: patience)  // see above
      let tell = self.state.withLock { state in
        // Once reaped, its number may be another process's.
        if impatience == .kill, !state.isReaped { kill(self.process, SIGKILL) }
        return state.tell.take()
      }
      tell?(.running)
    }
  }

  /// Returns when the child has ended and is reaped.
  func waitForEnd() {
    // It stays a zombie at first, and keeps its number, until the lock is held.
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    var status: Int32 = 0
    let tell = state.withLock { state in
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      state.isReaped = true
      return state.tell.take()
    }
    // WIFEXITED and its kind are macros that Swift does not import.
    let signal = status & 0x7F
    tell?(signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal))
  }
}
