internal import CTerminalGuard
internal import Dispatch
internal import Glibc

/// Gives the terminal back however the program ends, and reports resizes and job control.
///
/// A process has one guard at a time. The signal handlers are C (`CTerminalGuard`); this class only
/// calls them from the main actor.
@MainActor
package final class TerminalGuard {
  /// A signal that does not end the program.
  package enum Signal: Hashable, Sendable {
    /// The window changed its size (SIGWINCH).
    case resized
    /// Someone asked the program to stop (`kill -TSTP`); answer with `suspend()`.
    case stopRequested
    /// The program was continued (SIGCONT) and is in the foreground, after `suspend()` or after
    /// `kill -STOP`: set the modes and redraw.
    case continued
  }

  private let descriptor: Int32
  private let original: termios
  private var source: (any DispatchSourceRead)?

  /// Reads the modes to give back.
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

  /// Takes the terminal under guard.
  ///
  /// Call it right before the screen is first changed: on a screen that was never left, the
  /// restore bytes would move the cursor.
  ///
  /// - Parameters:
  ///   - restore: what gives the screen back; at most 16,384 bytes.
  ///   - handler: told once for each kind of signal that arrived since the last turn.
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

    // A source's descriptor must stay open until the cancellation is through, so it has its own.
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

  /// Replaces the restore bytes; a signal at any moment sees the old ones or the new ones, whole.
  package func setRestore(_ restore: String) throws(TerminalError) {
    let bytes = Array(restore.utf8)
    let result = bytes.withUnsafeBytes { buffer in
      tg_set_restore(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    try TerminalError.check(result, during: .updateRestore)
  }

  /// Restores the terminal on an ordinary way out; the second call does nothing.
  ///
  /// Once a fatal signal has arrived it never returns: the program dies of that signal.
  package func restore() { tg_restore_now() }

  /// Ends the program with an exit status, the terminal restored, without running exit handlers.
  ///
  /// Once a fatal signal has arrived, the program dies of that signal instead.
  package static func exit(_ status: Int32) -> Never { tg_exit(status) }

  /// Guards the terminal again, after `restore()` or `suspend()`.
  func rearm() { tg_rearm() }

  /// Restores the terminal, stops the process group as Ctrl-Z would, and returns once it is
  /// continued in the foreground, with the terminal guarded again but still in the shell's modes.
  ///
  /// The caller then sets the program's modes and redraws all. Finish transactions before: the
  /// whole process stops. In an orphaned process group the kernel discards the stop and this
  /// returns at once.
  ///
  /// - Throws: `TerminalError` with `ENOTSUP` when the program was started without job control;
  ///   the terminal is then restored and guarded, as after a stop.
  package func suspend() throws(TerminalError) {
    tg_restore_now()
    let result = tg_suspend()
    tg_rearm()
    try TerminalError.check(result, during: .suspend)
  }

  /// Stops the program while it is in the background, and returns in the foreground.
  ///
  /// `suspend()` and `Signal.continued` see to it themselves. The reader of the keyboard calls it
  /// when read(2) fails with `EIO`, and reads again: only then does `EIO` mean a hang-up, since
  /// Dispatch's threads block the SIGTTIN that would have stopped a background program.
  func awaitForeground() { tg_await_foreground() }

  /// Puts the earlier signal handlers back.
  ///
  /// The terminal is left as it is: call `restore()` first.
  package func uninstall() {
    source?.cancel()
    source = nil
    tg_uninstall()
  }

  /// Gives the calling thread a signal stack, so that even its stack overflow restores the
  /// terminal.
  ///
  /// The main queue may change threads: call it at the start of each turn of the run loop. After a
  /// thread's first call it costs a thread-local read.
  package nonisolated static func prepareThread() { tg_prepare_thread() }

  /// Writes all bytes: the one write loop of the program.
  ///
  /// Waits while the terminal takes nothing, five seconds at most.
  ///
  /// - Throws: `TerminalError` with `ETIMEDOUT`, with `ECANCELED` once a signal handler restored
  ///   the terminal, or with what write(2) said (`EPIPE`, `EIO` after a hang-up).
  package nonisolated static func write(
    _ bytes: [UInt8], to descriptor: Int32
  ) throws(TerminalError) {
    let result = bytes.withUnsafeBytes { buffer in
      tg_write_all(descriptor, buffer.baseAddress, buffer.count)
    }
    try TerminalError.check(result, during: .write)
  }

  /// Empties the pipe: a hundred resizes are one.
  private static func arrived(on end: Int32) -> Set<Signal> {
    var signals: Set<Signal> = []
    var buffer = [UInt8](repeating: 0, count: 256)
    while true {
      let count = read(end, &buffer, buffer.count)
      // The pipe does not block: -1 with EAGAIN means that it is empty.
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
