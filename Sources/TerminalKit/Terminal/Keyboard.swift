internal import Dispatch
internal import Glibc

/// Reads what the terminal sends and tells it as events, on the main actor.
@MainActor
package final class Keyboard {
  private let descriptor: Int32
  private let terminalGuard: TerminalGuard
  private let onEvents: @MainActor ([InputEvent]) -> Void
  private let onEnd: @MainActor () -> Void
  private var decoder: KeyDecoder
  /// What was pressed before the keyboard started, not told yet.
  private var early: [InputEvent]
  /// How many answers to DA1 are still to come.
  private var sentinels: Int
  private var source: (any DispatchSourceRead)?
  private var flush: Task<Void, Never>?

  /// Creates a keyboard on a descriptor.
  ///
  /// - Parameters:
  ///   - early: what was read before.
  ///   - onEvents: told what arrived, once for each read.
  ///   - onEnd: told when the terminal is gone.
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
    self.sentinels = early.sentinels
  }

  /// Starts to read; what was read before is told in the next turn.
  package func start() {
    Task {
      tell(early)
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

  /// Stops to read.
  package func stop() {
    source?.cancel()
    source = nil
    flush?.cancel()
  }

  /// Reads what the terminal still has to answer, so that it does not land in the shell.
  ///
  /// Call it after `stop()`, in raw mode. It returns at once when all is answered, else blocks until
  /// the last sentinel or for `patience`.
  package func drain(patience: Duration = .milliseconds(150)) {
    guard sentinels > 0 else { return }
    TerminalInput.read(descriptor, until: .now + patience) { bytes in
      count(decoder.feed(bytes))
      return sentinels > 0
    }
  }

  private func count(_ events: [InputEvent]) {
    for case .reply(.primaryAttributes) in events { sentinels -= 1 }
  }

  private func readAvailable() {
    TerminalGuard.prepareThread()
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var count = read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EIO {
      // In the background, or hung up: the second answer tells.
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
    tell(decoder.feed(buffer.prefix(count)))
    if let patience = decoder.patience { flush(after: patience) }
  }

  private func flush(after patience: Duration) {
    flush = Task {
      guard (try? await Task.sleep(for: patience)) != nil else { return }  // more has arrived
      tell(decoder.flush())
    }
  }

  private func tell(_ events: [InputEvent]) {
    count(events)
    if !events.isEmpty { onEvents(events) }
  }
}
