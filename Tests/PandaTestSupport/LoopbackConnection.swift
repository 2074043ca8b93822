public import FoundationEssentials
internal import Glibc

/// Is one connection of a `LoopbackServer`, for handlers that write bytes themselves.
///
/// Not Sendable: it belongs to the thread that the handler runs on.
public final class LoopbackConnection {
  /// Whether the connection is read again after the handler.
  public var staysOpen = false

  private let descriptor: Int32
  private var unread: [UInt8] = []

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // Pieces are sent as they are written: a test means the pieces.
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Sends text.
  ///
  /// Returns whether the client still takes it.
  @discardableResult
  public func send(_ text: String) -> Bool { send(Data(text.utf8)) }

  /// Sends bytes.
  ///
  /// Returns whether the client still takes them.
  @discardableResult
  public func send(_ data: Data) -> Bool {
    data.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Glibc.send(
          descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  /// Waits until the client, or the server's `stop()`, closes the connection.
  public func waitUntilClosed() { _ = wait(for: nil) }

  /// Waits until the gate is open.
  ///
  /// Returns false if the connection was closed before.
  public func wait(for gate: Gate) -> Bool { wait(for: gate.descriptor) }

  /// Makes the closing a reset (RST), as after a crash, instead of an orderly end.
  public func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  private func wait(for gate: Int32?) -> Bool {
    // POLLRDHUP, which is behind _GNU_SOURCE: the other side has ended its half.
    let hangUp: Int16 = 0x2000
    var polled = [pollfd(fd: descriptor, events: hangUp, revents: 0)]
    if let gate { polled.append(pollfd(fd: gate, events: Int16(POLLIN), revents: 0)) }
    while true {
      let count = poll(&polled, nfds_t(polled.count), -1)
      if count < 0, errno == EINTR { continue }
      if count < 0 || polled[0].revents != 0 { return false }
      if polled.count > 1, polled[1].revents != 0 { return true }
    }
  }

  /// Reads one request; `nil` when the client closes or does not speak HTTP.
  ///
  /// Requests with a body are not understood.
  func receiveRequest() -> LoopbackRequest? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = unread.firstRange(of: end) {
        let head = String(decoding: unread[..<range.lowerBound], as: UTF8.self)
        unread.removeSubrange(..<range.upperBound)
        return LoopbackRequest(head: head)
      }
      guard unread.count < 1 << 16 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      unread += buffer[..<count]
    }
  }

  func close() { Glibc.close(descriptor) }
}
