internal import Glibc
internal import SystemSupport

/// Reads lines from a descriptor on its own thread, on demand.
///
/// Lines that are not requested stay with the sender.
actor LineInput {
  private let executor = QueueExecutor(label: "panda.lines")
  private let descriptor: Int32
  private var splitter = LineSplitter()
  private var hasEnded = false

  /// Reading blocks the thread, so no other task shares it.
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Creates a reader of a descriptor, which stays open.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Returns the next line; nil at the end of the input.
  ///
  /// If a line cannot be read, because the terminal is gone, that is the end.
  func next() -> LineSplitter.Line? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      if let line = splitter.next() { return line }
      guard !hasEnded else { return nil }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        // A previous program may have left the terminal in non-blocking mode.
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
