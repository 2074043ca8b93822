internal import FoundationEssentials
internal import Glibc

/// A connected socket for one message in each direction.
struct Connection: ~Copyable {
  private static let longestMessage = 1 << 20

  private let descriptor: Int32

  /// Takes over a socket, with a timeout of five seconds.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    // Without the option, it waits longer.
    _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
  }

  /// Connects to a port of this machine.
  static func open(port: Int) throws(SocketError) -> Connection {
    let connection = Connection(try makeSocket())
    let descriptor = connection.descriptor
    let result = withLoopbackAddress(port: port) { connect(descriptor, $0, $1) }
    guard result == 0 else { throw SocketError(call: "connect", code: errno) }
    return connection
  }

  deinit { close(descriptor) }

  static func makeSocket() throws(SocketError) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_INET, type, 0)
    guard descriptor >= 0 else { throw SocketError(call: "socket", code: errno) }
    return descriptor
  }

  /// Reads a complete message.
  ///
  /// - Throws: ``SocketError``, or ``HTTPError`` if it is malformed, too long, or ends too early.
  func read() throws -> HTTPMessage {
    var bytes = Data()
    var message: HTTPMessage?
    while true {
      if message == nil { message = try HTTPMessage(head: bytes) }
      if var message, bytes.count >= message.headLength + message.bodyLength {
        message.body = bytes.dropFirst(message.headLength).prefix(message.bodyLength)
        return message
      }
      guard bytes.count < Self.longestMessage else { throw HTTPError.tooLong }
      var buffer = [UInt8](repeating: 0, count: 16_384)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SocketError(call: "recv", code: errno) }
      guard count > 0 else { throw HTTPError.endsTooEarly }
      bytes += buffer.prefix(count)
    }
  }

  /// Writes a complete message.
  func write(_ message: Data) throws(SocketError) {
    var rest = Array(message)[...]
    while !rest.isEmpty {
      // A closed peer is an error, not a signal.
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SocketError(call: "send", code: errno) }
      rest = rest.dropFirst(count)
    }
  }
}

/// The error of a system call.
struct SocketError: Error, Equatable, CustomStringConvertible {
  let call: String
  /// The errno.
  let code: Int32

  var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// Calls `body` with the address of a port of this machine.
func withLoopbackAddress(
  port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(port).bigEndian
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  return withUnsafePointer(to: address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}
