internal import Glibc
internal import SystemSupport

/// Waits for a child process and reports its end once.
///
/// It reports at the child's end or at a timeout, whichever comes first.
///
/// In both cases the child is reaped.
final class ChildMonitor: Sendable {
  private struct State {
    var isReaped = false
    var tell: (@Sendable (ChildProgram.Ending) -> Void)?
  }

  private let process: pid_t
  private let state: Lock<State>

  /// Starts to watch a child of this process.
  ///
  /// - Parameter tell: called once, on any thread.
  init(_ process: pid_t, tell: @escaping @Sendable (ChildProgram.Ending) -> Void) {
    self.process = process
    state = Lock(State(tell: tell))
  }

  /// Reports `.running` if the child is still running after the timeout.
  func giveUp(after patience: Duration, _ impatience: ChildProgram.Impatience) {
    Task {
      // Task.sleep throws only in a canceled task, which this one never is.
      try? await Task.sleep(for: patience)
      let tell = self.state.withLock { state in
        // Once it is reaped, its process number may belong to another process.
        if impatience == .kill, !state.isReaped { kill(self.process, SIGKILL) }
        return state.tell.take()
      }
      tell?(.running)
    }
  }

  /// Waits until the child has ended and is reaped.
  func waitForEnd() {
    // It stays a zombie, and keeps its process number, until the lock is held.
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    var status: Int32 = 0
    let tell = state.withLock { state in
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      state.isReaped = true
      return state.tell.take()
    }
    // WIFEXITED and similar macros are not imported by Swift.
    let signal = status & 0x7F
    tell?(signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal))
  }
}
