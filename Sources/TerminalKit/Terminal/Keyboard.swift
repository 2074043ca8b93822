internal import Dispatch
internal import Glibc

/// Reads the terminal's input and reports it as events, on the main actor.
@MainActor
package final class Keyboard {
  private let descriptor: Int32
  private let terminalGuard: TerminalGuard
  private let onEvents: @MainActor ([InputEvent]) -> Void
  private let onEnd: @MainActor () -> Void
  private var decoder: KeyDecoder
  /// Events from before the keyboard started, not yet reported.
  private var early: [InputEvent]
  /// The answers still expected.
  private var owed: OwedAnswers
  private var source: (any DispatchSourceRead)?
  private var flush: Task<Void, Never>?

  /// Creates a keyboard on a descriptor.
  ///
  /// - Parameters:
  ///   - early: the input that was read before.
  ///   - onEvents: called with the events of each read.
  ///   - onEnd: called when the terminal is gone.
  package init(
    descriptor: Int32 = STDIN_FILENO, terminalGuard: TerminalGuard,
    early: EarlyInput = EarlyInput(),
    onEvents: @escaping @MainActor ([InputEvent]) -> Void,
    onEnd: @escaping @MainActor () -> Void
  ) {
    self.descriptor = descriptor
    self.terminalGuard = terminalGuard
    self.onEvents = onEvents
    self.onEnd = onEnd
    self.decoder = early.decoder
    self.early = early.events
    self.owed = early.owed
    decoder.expectsAnswers = owed.count > 0
  }

  /// Starts reading; reports earlier input in the next turn.
  package func start() {
    Task {
      report(early)
      early = []
    }
    if let patience = decoder.patience { flush(after: patience) }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.readAvailable() }
    }
    source.resume()
    self.source = source
  }

  /// Stops reading.
  package func stop() {
    source?.cancel()
    source = nil
    flush?.cancel()
  }

  /// Reads the terminal's outstanding answers, so that they do not end up in the shell.
  ///
  /// Call it after `stop()`, in raw mode. It returns immediately if nothing is outstanding, and
  /// otherwise blocks until the last sentinel, for a second at most. The rest of the input is left
  /// alone: flushing it would throw away what the user has already typed for the shell.
  package func drain() {
    guard let deadline = owed.deadline(endingAt: .now) else { return }
    TerminalInput.read(descriptor, until: deadline) { bytes in
      count(decoder.feed(bytes))
      return owed.count > 0
    }
  }

  /// Prepares for the answers to questions that are being sent, which end with DA1.
  package func expectAnswers() {
    owed.ask()
    decoder.expectsAnswers = true
  }

  private func count(_ events: [InputEvent]) {
    owed.take(events)
    if owed.count == 0 { decoder.expectsAnswers = false }
  }

  private func readAvailable() {
    TerminalGuard.prepareThread()
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var count = read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EIO {
      // Either in the background or hung up: the second read decides.
      terminalGuard.awaitForeground()
      count = read(descriptor, &buffer, buffer.count)
    }
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      stop()
      onEnd()
      return
    }
    flush?.cancel()
    flush = nil
    report(decoder.feed(buffer.prefix(count)))
    if let patience = decoder.patience { flush(after: patience) }
  }

  /// Sends the signal of a key, such as Ctrl-C, to the foreground.
  ///
  /// The kernel does that for the control byte; kitty's keyboard protocol sends another sequence.
  private func sendSignal(of key: Key) {
    // Zero is no key here: it switches a signal's key off.
    guard case .control(let character) = key, let byte = character.asciiValue.map({ $0 & 0x1F }),
      byte != 0
    else { return }
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0, modes.c_lflag & tcflag_t(ISIG) != 0 else { return }
    let signals = [(VINTR, SIGINT), (VQUIT, SIGQUIT), (VSUSP, SIGTSTP)]
    withUnsafeBytes(of: &modes.c_cc) { characters in
      for (index, signal) in signals where characters[Int(index)] == byte { kill(0, signal) }
    }
  }

  private func flush(after patience: Duration) {
    flush = Task {
      guard (try? await Task.sleep(for: patience)) != nil else { return }  // more input arrived
      report(decoder.flush())
    }
  }

  private func report(_ events: [InputEvent]) {
    count(events)
    for case .key(let key, _) in events { sendSignal(of: key) }
    if !events.isEmpty { onEvents(events) }
  }
}
