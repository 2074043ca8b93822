internal import Glibc
internal import SystemSupport

/// Something that answers like a PostgreSQL server until a session is open, and then never again.
public final class MutePostgres: Sendable {
  private let port: Int
  private let isOver = SharedFlag()
  private let thread: PosixThread

  private final class SharedFlag: Sendable {
    let lock = Lock(false)
  }

  /// The address of a database there, for libpq.
  public var address: String { "postgresql://pantry@127.0.0.1:\(port)/mute?sslmode=disable" }

  /// Opens a port.
  public init() throws {
    let (listener, port) = try Sockets.listen(at: "127.0.0.1", backlog: 16)
    self.port = port
    thread = try PosixThread { [isOver] in
      var clients: [Int32] = []
      while !isOver.lock.withLock(\.self) {
        var caller = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&caller, 1, 20) > 0 else { continue }
        let client = Sockets.accept(from: listener)
        _ = send(client, Self.greeting, Self.greeting.count, Int32(MSG_NOSIGNAL))
        clients.append(client)
      }
      for descriptor in clients + [listener] { close(descriptor) }
    }
  }

  /// Closes everything.
  public func stop() {
    isOver.lock.withLock { $0 = true }
    thread.join()
  }

  /// The session is open, and the server ready, as if it had been asked
  /// (https://www.postgresql.org/docs/current/protocol-message-formats.html).
  private static let greeting: [UInt8] =
    message("R", [0, 0, 0, 0]) + message("S", Array("server_version\u{0}15.0\u{0}".utf8))
    + message("K", [0, 0, 0, 1, 0, 0, 0, 1]) + message("Z", Array("I".utf8))

  private static func message(_ kind: Character, _ body: [UInt8]) -> [UInt8] {
    [kind.asciiValue ?? 0, 0, 0, 0, UInt8(body.count + 4)] + body
  }
}
