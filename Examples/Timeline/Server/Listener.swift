internal import Glibc

/// A socket that listens on a port of this machine; closed on deallocation.
///
/// It is not closed earlier, since its number might then be reused for another socket.
final class Listener: Sendable {
  /// The port chosen by the system.
  let port: Int

  private let descriptor: Int32

  /// - Throws: ``SocketError``.
  init() throws(SocketError) {
    let descriptor = try Connection.makeSocket()
    self.descriptor = descriptor
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withLoopbackAddress(port: 0, { bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, SOMAXCONN) == 0,
      withUnsafeMutablePointer(
        to: &address,
        { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            getsockname(descriptor, $0, &size)
          }
        }) == 0
    else {
      let error = SocketError(call: "listen", code: errno)
      close(descriptor)
      throw error
    }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }

  /// Waits for the next connection; nil after ``stop()``.
  func accept() -> Int32? {
    while true {
      let client = Glibc.accept(descriptor, nil, nil)
      if client >= 0 { return client }
      guard errno == EINTR || errno == ECONNABORTED else { return nil }
    }
  }

  /// Ends waiting, and refuses connections from now on.
  func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
