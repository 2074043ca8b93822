@preconcurrency internal import Dispatch  // Its sources are thread-safe, but do not say so.
internal import Glibc
internal import SystemSupport

/// Reads the terminal's input on a queue of its own, with the moment at which it arrived.
///
/// The main actor may be late: by then, a lone Esc and the key that followed it a second later
/// would look like one key with Alt.
final class InputReader: Sendable {
  enum Arrival: Sendable {
    case bytes([UInt8], at: ContinuousClock.Instant)
    /// Nothing can be read any more: the end, 0, or read(2)'s `errno`.
    case failure(Int32)
  }

  private struct State {
    var arrivals: [Arrival] = []
    var source: (any DispatchSourceRead)?
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "InputReader", qos: .userInteractive)
  private let state = Lock(State())

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Starts reading.
  ///
  /// - Parameter onArrival: called on the main queue when there is something to take.
  func start(_ onArrival: @escaping @MainActor () -> Void) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [weak self] in
      self?.read()
      DispatchQueue.main.async { MainActor.assumeIsolated { onArrival() } }
    }
    state.withLock { $0.source = source }
    source.resume()
  }

  /// Stops reading; what has arrived can still be taken.
  func stop() {
    state.withLock { state in
      state.source?.cancel()
      state.source = nil
    }
    queue.sync {}
  }

  /// Takes what has arrived since the last time.
  func take() -> [Arrival] {
    state.withLock { state in
      defer { state.arrivals = [] }
      return state.arrivals
    }
  }

  private func read() {
    TerminalGuard.prepareThread()
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    let code = errno
    if count < 0, code == EINTR || code == EAGAIN { return }
    let arrival: Arrival =
      count > 0 ? .bytes(Array(buffer.prefix(count)), at: .now) : .failure(count < 0 ? code : 0)
    state.withLock { state in
      state.arrivals.append(arrival)
      if count <= 0 {
        // It would be reported again and again.
        state.source?.cancel()
        state.source = nil
      }
    }
  }
}
