internal import Glibc

/// Reads the terminal's input and reports it as events, on the main actor.
@MainActor
package final class Keyboard {
  private let descriptor: Int32
  private var reader: InputReader
  private let terminalGuard: TerminalGuard
  private let onEvents: @MainActor ([InputEvent]) -> Void
  private let onEnd: @MainActor () -> Void
  private var decoder: KeyDecoder
  /// Events from before the keyboard started, not yet reported.
  private var early: [InputEvent]
  private var owed: OwedAnswers
  /// When the decoder has waited long enough for the rest of what it holds; nil if it holds
  /// nothing.
  private var deadline: ContinuousClock.Instant?
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
    reader = InputReader(descriptor)
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
    awaitRest(since: .now)
    reader.start { [weak self] in self?.receiveArrivals() }
  }

  func stop() {
    reader.stop()
    flush?.cancel()
  }

  /// Stops reading, gives the screen back, and reads what the terminal sent before it knew.
  ///
  /// Call it before the shell reads. Outstanding answers, reports, and keys in the encoding of the
  /// keyboard's protocol would end up in the shell as text. So a terminal that answers is asked a
  /// last question, and what comes before its answer is dropped: for a second at most. What comes
  /// behind it is left alone, since it is for the shell.
  ///
  /// - Parameters:
  ///   - asking: whether a terminal would get the question; false behind a multiplexer.
  ///   - dropped: what was to be sent and was not, with questions that no answer comes to.
  package func giveBack(asking: Bool, without dropped: [UInt8] = []) {
    stop()
    owed.drop(dropped)
    for case .bytes(let bytes, _) in reader.take() { count(decoder.feed(bytes)) }
    // In the background another program has the keyboard, and would get the answer.
    let asks = asking && owed.hasAnswered && tcgetpgrp(descriptor) == getpgrp()
    if terminalGuard.restoreScreen(asking: asks ? OwedAnswers.sentinel : ""), asks {
      expectAnswers()
    }
    guard let deadline = owed.deadline(endingAt: .now) else { return }
    TerminalInput.read(descriptor, until: deadline, atMost: 1) { bytes in
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
    owed.receive(events)
    if owed.count == 0 { decoder.expectsAnswers = false }
  }

  private func receiveArrivals() {
    TerminalGuard.prepareThread()
    for arrival in reader.take() { receive(arrival) }
  }

  /// Takes what has arrived, however late.
  func receive(_ arrival: InputReader.Arrival) {
    switch arrival {
    case .bytes(let bytes, let moment):
      endWait(before: moment)
      report(decoder.feed(bytes))
      awaitRest(since: moment)
    case .failure(EIO) where isThere():
      reader = InputReader(descriptor)
      reader.start { [weak self] in self?.receiveArrivals() }
    case .failure:
      stop()
      onEnd()
    }
  }

  /// Sends the signal of a key, such as Ctrl-C, to the foreground; returns whether it has one.
  ///
  /// The kernel does that for the control byte; kitty's keyboard protocol sends another sequence.
  private func sendSignal(of key: Key) -> Bool {
    // Zero is no key here: it switches a signal's key off.
    guard case .control(let character) = key, let byte = character.asciiValue.map({ $0 & 0x1F }),
      byte != 0
    else { return false }
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0, modes.c_lflag & tcflag_t(ISIG) != 0 else {
      return false
    }
    let signals = [(VINTR, SIGINT), (VQUIT, SIGQUIT), (VSUSP, SIGTSTP)]
    let signal = withUnsafeBytes(of: &modes.c_cc) { characters in
      signals.first { characters[Int($0.0)] == byte }?.1
    }
    return signal.map { kill(0, $0) == 0 } ?? false
  }

  /// Waits until the program is in the foreground; whether the terminal is there then.
  ///
  /// It was in the background or is hung up: the next read decides.
  private func isThere() -> Bool {
    terminalGuard.awaitForeground()
    var readiness = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&readiness, 1, 0) > 0 else { return true }
    var byte: UInt8 = 0
    guard read(descriptor, &byte, 1) > 0 else { return false }
    report(decoder.feed([byte]))
    return true
  }

  /// Ends the wait for the rest of what is held if it was over before a moment.
  private func endWait(before moment: ContinuousClock.Instant) {
    flush?.cancel()
    flush = nil
    guard let deadline, deadline <= moment else { return }
    self.deadline = nil
    report(decoder.flush())
  }

  /// Waits for the rest of what is held, from the moment at which it arrived.
  private func awaitRest(since moment: ContinuousClock.Instant) {
    deadline = decoder.patience.map { moment + $0 }
    guard let deadline else { return }
    flush = Task {
      // More input ends the wait, too.
      guard (try? await Task.sleep(until: deadline)) != nil else { return }
      // Earlier input may not have been received yet.
      receiveArrivals()
      if self.deadline == deadline { endWait(before: .now) }
    }
  }

  private func report(_ events: [InputEvent]) {
    count(events)
    let events = events.filter { event in
      if case .key(let key, _) = event { !sendSignal(of: key) } else { true }
    }
    if !events.isEmpty { onEvents(events) }
  }
}
