internal import Glibc

/// Reads a terminal with a deadline, before a run loop does.
package enum TerminalInput {
  /// Reads until `take` is done, the deadline passes or the terminal is gone.
  ///
  /// - Parameters:
  ///   - most: how many bytes are read at a time; the others stay for the next reader.
  ///   - take: receives the bytes that arrived; returns whether to continue.
  package static func read(
    _ descriptor: Int32, until deadline: ContinuousClock.Instant, atMost most: Int = 4_096,
    take: ([UInt8]) -> Bool
  ) {
    var buffer = [UInt8](repeating: 0, count: most)
    while true {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, deadline.millisecondsLeft)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0, take(Array(buffer.prefix(count))) else { return }
    }
  }
}

extension ContinuousClock.Instant {
  /// The time left, in milliseconds rounded up, for poll(2).
  var millisecondsLeft: Int32 {
    let (seconds, attoseconds) = (self - .now).components
    let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: max(0, milliseconds))
  }
}
