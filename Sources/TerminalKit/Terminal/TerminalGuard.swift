internal import CTerminalGuard
internal import Dispatch
internal import Glibc

/// Restores the terminal however the program ends, and reports resizes and job control.
///
/// A process has one guard at a time. The signal handlers are C (`CTerminalGuard`); this class only
/// calls them from the main actor.
@MainActor
package final class TerminalGuard {
  /// A signal that does not end the program.
  package enum Signal: Hashable, Sendable {
    /// The window size changed (SIGWINCH).
    case resized
    /// Another process requested a suspend (`kill -TSTP`); respond with `suspend()`.
    case stopRequested
    /// The program was continued (SIGCONT) and is in the foreground, after `suspend()` or `kill
    /// -STOP`: set the modes and redraw.
    case continued
  }

  private let descriptor: Int32
  private let original: termios
  private var source: (any DispatchSourceRead)?

  /// Reads the modes to restore.
  ///
  /// - Parameter descriptor: the terminal the program draws on.
  /// - Throws: `TerminalError` when the descriptor is not a terminal.
  package init(descriptor: Int32 = STDOUT_FILENO) throws(TerminalError) {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else {
      throw TerminalError(operation: .readModes, code: errno)
    }
    self.descriptor = descriptor
    self.original = modes
  }

  /// Starts guarding the terminal.
  ///
  /// Call it right before the screen is first changed: on a screen that was never left, the restore
  /// bytes would move the cursor.
  ///
  /// - Parameters:
  ///   - restore: the bytes that restore the screen; at most 16,384.
  ///   - handler: called once for each kind of signal that arrived since the last turn.
  package func install(
    restoring restore: String = TerminalModes.restore,
    onSignals handler: @escaping @MainActor (Set<Signal>) -> Void
  ) throws(TerminalError) {
    var modes = original
    let bytes = Array(restore.utf8)
    let result = bytes.withUnsafeBytes { buffer in
      tg_install(
        descriptor, &modes, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    try TerminalError.check(result, during: .guardTerminal)

    // A source's descriptor must stay open until its cancellation completes, so it has its own.
    let end = fcntl(tg_pipe(), F_DUPFD_CLOEXEC, 0)
    guard end >= 0 else {
      let code = errno
      tg_uninstall()
      throw TerminalError(operation: .guardTerminal, code: code)
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: end, queue: .main)
    source.setEventHandler {
      MainActor.assumeIsolated {
        tg_prepare_thread()
        let signals = Self.arrived(on: end)
        if signals.contains(.continued) { tg_await_foreground() }
        if !signals.isEmpty { handler(signals) }
      }
    }
    source.setCancelHandler { close(end) }
    source.resume()
    self.source = source
  }

  /// Replaces the restore bytes atomically: a signal sees either the old or the new ones.
  package func setRestore(_ restore: String) throws(TerminalError) {
    let bytes = Array(restore.utf8)
    let result = bytes.withUnsafeBytes { buffer in
      tg_set_restore(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    try TerminalError.check(result, during: .updateRestore)
  }

  /// Restores the terminal on a normal exit; a second call does nothing.
  ///
  /// After a fatal signal it never returns: the program dies of that signal.
  package func restore() { tg_restore_now() }

  /// Restores the screen, and asks the terminal a question behind it; the modes are restored later.
  ///
  /// - Returns: whether the terminal has taken the question.
  func restoreScreen(asking question: String) -> Bool {
    tg_restore_screen(question, question.utf8.count) == 0
  }

  /// Ends the program with an exit status and a restored terminal, without running exit handlers.
  ///
  /// After a fatal signal, the program dies of that signal instead.
  package nonisolated static func exit(_ status: Int32) -> Never { tg_exit(status) }

  /// Restores the terminal and stops the process group, as Ctrl-Z would, until it is continued.
  ///
  /// It returns in the foreground, with the terminal guarded again but still in the shell's modes.
  /// The caller then sets the program's modes and redraws everything. Finish transactions first:
  /// the whole process stops. In an orphaned process group the kernel discards the stop and this
  /// returns immediately.
  ///
  /// - Throws: `TerminalError` with `ENOTSUP` if the program was started without job control; the
  ///   terminal is then restored and guarded, as after a stop.
  package func suspend() throws(TerminalError) {
    tg_restore_now()
    let result = tg_suspend()
    tg_rearm()
    try TerminalError.check(result, during: .suspend)
  }

  /// Stops the program while it is in the background, and returns in the foreground.
  ///
  /// `suspend()` and `Signal.continued` take care of this themselves. The keyboard reader calls it
  /// when read(2) fails with `EIO`, and reads again: only a second `EIO` means a hang-up, since
  /// Dispatch's threads block the SIGTTIN that would have stopped a background program.
  func awaitForeground() { tg_await_foreground() }

  /// Restores the previous signal handlers.
  ///
  /// The terminal is left unchanged: call `restore()` first.
  package func uninstall() {
    source?.cancel()
    source = nil
    tg_uninstall()
  }

  /// Gives the calling thread a signal stack, so that even a stack overflow restores the terminal.
  ///
  /// The main queue may change threads: call it at the start of each turn of the run loop. After a
  /// thread's first call it costs one thread-local read.
  package nonisolated static func prepareThread() { tg_prepare_thread() }

  /// Writes all bytes; the program's only write loop.
  ///
  /// Waits while the terminal accepts no output, as after Ctrl-S: up to five seconds if the
  /// descriptor does not block.
  ///
  /// - Throws: `TerminalError` with `ETIMEDOUT`, with `ECANCELED` once a signal handler restored
  ///   the terminal, or with write(2)'s error (`EPIPE`, `EIO` after a hang-up).
  package nonisolated static func write(
    _ bytes: [UInt8], to descriptor: Int32
  ) throws(TerminalError) {
    let result = bytes.withUnsafeBytes { buffer in
      tg_write_all(descriptor, buffer.baseAddress, buffer.count)
    }
    try TerminalError.check(result, during: .write)
  }

  /// Drains the pipe, so that a hundred resizes count as one.
  private static func arrived(on end: Int32) -> Set<Signal> {
    var signals: Set<Signal> = []
    var buffer = [UInt8](repeating: 0, count: 256)
    while true {
      let count = read(end, &buffer, buffer.count)
      // The pipe is nonblocking: -1 with EAGAIN means that it is empty.
      guard count > 0 else { return signals }
      for byte in buffer.prefix(count) {
        switch Int32(byte) {
        case SIGWINCH: signals.insert(.resized)
        case SIGTSTP: signals.insert(.stopRequested)
        case SIGCONT: signals.insert(.continued)
        default: break
        }
      }
    }
  }
}
