internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// A REST server on loopback that knows some posts and authors, and forgets all changes at its end.
final class TimelineServer: Sendable {
  /// Where it listens.
  let port: Int

  private let descriptor: Int32
  private let state: Mutex<ServerState>

  /// Starts to listen on a port that the system chooses.
  ///
  /// - Throws: ``SocketError``.
  init(_ page: Page = .seed) throws {
    state = Mutex(ServerState(page))
    descriptor = try Connection.makeSocket()
    guard withLoopbackAddress(port: 0, { [descriptor] in bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, 16) == 0
    else {
      let error = SocketError(call: "listen", code: errno)
      close(descriptor)
      throw error
    }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &size)
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    Self.accept(descriptor) { [weak self] in self?.answer($0) }
  }

  deinit { stop() }

  /// Stops to listen; the accepting thread closes the socket.
  func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Whether it refuses everything.
  var isOutOfOrder: Bool {
    get { state.withLock(\.isOutOfOrder) }
    set { state.withLock { $0.isOutOfOrder = newValue } }
  }

  /// Does something to what it knows, as if others had.
  func change(_ body: (inout Page) -> Void) { state.withLock { body(&$0.page) } }

  private static func accept(
    _ descriptor: Int32, _ answer: @escaping @Sendable (HTTPMessage) -> Data?
  ) {
    DispatchQueue(label: "timeline.server").async {
      while true {
        let client = Glibc.accept(descriptor, nil, nil)
        if client < 0 {
          if errno == EINTR || errno == ECONNABORTED { continue }
          close(descriptor)
          return
        }
        // A queue for each: one that waits for its request holds up no other.
        DispatchQueue(label: "timeline.connection").async {
          let connection = Connection(client)
          // Who does not speak HTTP, or has gone, gets no answer.
          guard let request = try? connection.read(), let bytes = answer(request) else { return }
          try? connection.write(bytes)
        }
      }
    }
  }

  private func answer(_ request: HTTPMessage) -> Data {
    let (status, body) = state.withLock { state in
      state.answer(
        method: String(request.start[0]), path: String(request.start[1]), body: request.body)
    }
    return HTTPMessage.bytes(start: "HTTP/1.1 \(status)", body: body)
  }
}
