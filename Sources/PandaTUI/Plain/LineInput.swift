internal import Glibc
internal import Pantry

/// Reads lines of a descriptor on a thread of its own, when they are asked for: what nobody asks
/// for waits with who sends it.
actor LineInput {
  private let executor = QueueExecutor(label: "panda.lines")
  private let descriptor: Int32
  private var splitter = LineSplitter()
  private var hasEnded = false

  /// Reading blocks its thread, which is no other task's.
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Reads a descriptor, which stays open.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The next line; nil when there is none to come.
  ///
  /// A line that cannot be read, because the terminal is gone, is the end.
  func next() -> LineSplitter.Line? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      if let line = splitter.next() { return line }
      guard !hasEnded else { return nil }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        // Whoever had the terminal before left it so that reading does not wait.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, -1)
        continue
      }
      guard count > 0 else {
        hasEnded = true
        return splitter.finish()
      }
      splitter.append(buffer.prefix(count))
    }
  }
}
