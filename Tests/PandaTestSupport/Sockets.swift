internal import CDescriptors
internal import Glibc

/// Tells which call of the system failed.
public struct SocketError: Error, Equatable, Sendable {
  /// The call.
  public let call: String
  /// The errno.
  public let code: Int32
}

/// Makes sockets.
public enum Sockets {
  /// Listens at an IPv4 address, at a port that the system chooses.
  public static func listen(
    at host: String, backlog: Int32
  ) throws -> (descriptor: Int32, port: Int) {
    let descriptor = try stream(flags: 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
      close(descriptor)
      throw SocketError(call: "inet_pton", code: EINVAL)
    }
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    do {
      try withUnsafeMutablePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          try check(bind(descriptor, pointer, size), "bind")
          try check(Glibc.listen(descriptor, backlog), "listen")
          try check(getsockname(descriptor, pointer, &size), "getsockname")
        }
      }
    } catch {
      close(descriptor)
      throw error
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// A port of the loopback interface that is free now; another program may be faster.
  public static func freePort() throws -> Int {
    let (descriptor, port) = try listen(at: "127.0.0.1", backlog: 1)
    close(descriptor)
    return port
  }

  /// Begins to connect to a port of 127.0.0.1, and does not wait for it.
  static func beginConnecting(to port: Int) throws -> Int32 {
    let descriptor = try stream(flags: Int32(SOCK_NONBLOCK.rawValue))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0, errno != EINPROGRESS {
      close(descriptor)
      throw SocketError(call: "connect", code: errno)
    }
    return descriptor
  }

  /// Accepts a connection, or returns -1.
  public static func accept(from listener: Int32) -> Int32 { panda_accept(listener) }

  /// Connects to a Unix socket.
  public static func connect(to path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    try check(descriptor, "socket")
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      throw SocketError(call: "connect", code: code)
    }
    return descriptor
  }

  private static func stream(flags: Int32) throws -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags
    let descriptor = socket(AF_INET, type, 0)
    try check(descriptor, "socket")
    return descriptor
  }

  private static func check(_ result: Int32, _ call: String) throws {
    guard result >= 0 else { throw SocketError(call: call, code: errno) }
  }
}

/// Is a port of 127.0.0.1 that swallows every attempt to connect, as a firewall does.
///
/// Its queue of connections is full and never emptied, so that Linux drops what knocks.
public final class BlackHole: Sendable {
  /// The port.
  public let port: Int

  private let descriptors: [Int32]

  /// Creates a black hole.
  ///
  /// `stop()` closes it.
  public init() throws {
    let (listener, port) = try Sockets.listen(at: "127.0.0.1", backlog: 0)
    self.port = port
    descriptors = try [listener] + (0..<4).map { _ in try Sockets.beginConnecting(to: port) }
  }

  /// Closes it.
  public func stop() {
    for descriptor in descriptors { close(descriptor) }
  }
}

/// Returns a port of 127.0.0.1 at which nothing listens: one that was just given back.
public func closedPort() throws -> Int {
  let (descriptor, port) = try Sockets.listen(at: "127.0.0.1", backlog: 1)
  close(descriptor)
  return port
}
