internal import Dispatch
internal import Glibc

/// Reads what the terminal sends and tells it as events, on the main actor.
@MainActor
final class Keyboard {
  /// How long a lone Esc waits for the rest of a sequence before it counts as the key.
  static let escapeDelay = Duration.milliseconds(50)

  private let descriptor: Int32
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
    descriptor: Int32 = STDIN_FILENO, onEvents: @escaping @MainActor ([InputEvent]) -> Void,
    onEnd: @escaping @MainActor () -> Void
  ) {
    self.descriptor = descriptor
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
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      stop()
      onEnd()
      return
    }
    flush?.cancel()
    flush = nil
    tell(decoder.feed(buffer.prefix(count)))
    if decoder.isPending { flushLater() }
  }

  private func flushLater() {
    flush = Task {
      // Cancelled when more has arrived.
      guard (try? await Task.sleep(for: Self.escapeDelay)) != nil else { return }  // cancelled
      tell(decoder.flush())
    }
  }

  private func tell(_ events: [InputEvent]) {
    if !events.isEmpty { onEvents(events) }
  }
}
