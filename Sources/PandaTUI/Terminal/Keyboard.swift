internal import Dispatch
internal import Glibc

/// Reads what the terminal sends and tells it as events, on the main actor.
@MainActor
final class Keyboard {
  private let descriptor: Int32
  private let terminalGuard: TerminalGuard
  private let onEvents: @MainActor ([InputEvent]) -> Void
  private let onEnd: @MainActor () -> Void
  private var decoder = KeyDecoder()
  private var source: (any DispatchSourceRead)?
  private var flush: Task<Void, Never>?

  /// Creates a keyboard on a descriptor.
  ///
  /// - Parameters:
  ///   - onEvents: told what arrived, once for each read.
  ///   - onEnd: told when the terminal is gone.
  init(
    descriptor: Int32 = STDIN_FILENO, terminalGuard: TerminalGuard,
    onEvents: @escaping @MainActor ([InputEvent]) -> Void,
    onEnd: @escaping @MainActor () -> Void
  ) {
    self.descriptor = descriptor
    self.terminalGuard = terminalGuard
    self.onEvents = onEvents
    self.onEnd = onEnd
  }

  /// Starts to read.
  func start() {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.readAvailable() }
    }
    source.resume()
    self.source = source
  }

  /// Stops to read.
  func stop() {
    source?.cancel()
    source = nil
    flush?.cancel()
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
    if !events.isEmpty { onEvents(events) }
  }
}
