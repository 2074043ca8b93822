internal import Dispatch
internal import Glibc

/// Writes to the terminal without ever waiting for it.
///
/// It asks for more bytes when the terminal has taken the former ones, so that what becomes
/// obsolete meanwhile is never written.
@MainActor
final class TerminalWriter {
  /// The most that is handed over at once, in bytes: what the kernel has cannot be taken back.
  static let most = 16_384
  /// The same where a write waits, and keeps others from writing.
  private static let mostWaiting = 4_096
  /// Linux can fail to report that a pseudo-terminal has room again (`CTerminalGuard/Writing.c`).
  private static let retry = DispatchTimeInterval.milliseconds(250)

  private let descriptor: DrawingDescriptor
  /// Returns the next bytes; none if there is nothing to write.
  private let next: @MainActor () -> [UInt8]
  private let onLoss: @MainActor (TerminalError) -> Void
  private let queue = DispatchQueue(label: "TerminalWriter")
  private var rest: ArraySlice<UInt8> = []
  private var isWaiting = false
  private var hasEnded = false
  private var sources: [any DispatchSourceProtocol] = []

  /// - Parameter onLoss: called once the terminal is gone.
  init(
    _ descriptor: DrawingDescriptor, next: @escaping @MainActor () -> [UInt8],
    onLoss: @escaping @MainActor (TerminalError) -> Void
  ) {
    self.descriptor = descriptor
    self.next = next
    self.onLoss = onLoss
  }

  /// Writes as much as the terminal takes, and the rest as soon as it takes more.
  func write() {
    while !isWaiting, !hasEnded {
      if rest.isEmpty { rest = next()[...] }
      if rest.isEmpty { return }
      if descriptor.blocks { return writeAside() }
      let count = rest.prefix(Self.most).withUnsafeBytes {
        Glibc.write(descriptor.number, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 || errno == EAGAIN {
        awaitRoom()
      } else if errno != EINTR {
        lose(TerminalError(operation: .write, code: errno))
      }
    }
  }

  /// Drops what is not yet written, and returns it.
  @discardableResult
  func drop() -> ArraySlice<UInt8> {
    defer { rest = [] }
    return rest
  }

  func end() {
    hasEnded = true
    drop()
    stopWaiting()
  }

  private func lose(_ error: TerminalError) {
    end()
    onLoss(error)
  }

  private func awaitRoom() {
    isWaiting = true
    let room = DispatchSource.makeWriteSource(fileDescriptor: descriptor.number, queue: .main)
    let retry = DispatchSource.makeTimerSource(queue: .main)
    retry.schedule(deadline: .now() + Self.retry)
    sources = [room, retry]
    for source in sources {
      source.setEventHandler { [weak self] in
        MainActor.assumeIsolated {
          guard let self, self.isWaiting else { return }
          self.stopWaiting()
          self.write()
        }
      }
      source.resume()
    }
  }

  private func stopWaiting() {
    isWaiting = false
    for source in sources { source.cancel() }
    sources = []
  }

  /// Writes on a thread that may wait.
  private func writeAside() {
    isWaiting = true
    let bytes = Array(rest.prefix(Self.mostWaiting))
    queue.async { [descriptor] in
      var failure: TerminalError?
      do throws(TerminalError) {
        try TerminalGuard.write(bytes, to: descriptor.number)
      } catch {
        failure = error
      }
      DispatchQueue.main.async { [failure] in
        MainActor.assumeIsolated { self.hasWritten(bytes.count, failure) }
      }
    }
  }

  private func hasWritten(_ count: Int, _ failure: TerminalError?) {
    isWaiting = false
    // Bytes that were dropped meanwhile are no longer here.
    rest = rest.dropFirst(count)
    if let failure, !hasEnded { return lose(failure) }
    write()
  }
}
