internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// A REST server on loopback with some posts and authors; changes are lost when it ends.
final class TimelineServer: Sendable {
  private let listener: Listener
  private let state: Mutex<ServerState>

  /// Starts listening on a port that the system chooses.
  ///
  /// - Throws: ``SocketError``.
  init(_ page: Page = .seed) throws {
    state = Mutex(ServerState(page))
    listener = try Listener()
    accept()
  }

  deinit { stop() }

  /// The port on which it listens.
  var port: Int { listener.port }

  /// Stops listening.
  func stop() { listener.stop() }

  /// Whether it refuses all requests.
  var isOutOfOrder: Bool {
    get { state.withLock(\.isOutOfOrder) }
    set { state.withLock { $0.isOutOfOrder = newValue } }
  }

  /// Changes its data, as if other clients had.
  func change(_ body: (inout Page) -> Void) { state.withLock { body(&$0.page) } }

  private func accept() {
    // A queue has a thread of its own while it waits. This one ends with the server.
    DispatchQueue(label: "timeline.server").async { [weak self, listener] in
      while let client = listener.accept() {
        // A queue for each connection, so that one waiting for its request delays no other.
        DispatchQueue(label: "timeline.connection").async { [weak self] in
          let connection = Connection(client)
          // A client that does not speak HTTP, or is gone, gets no answer.
          guard let request = try? connection.read(), let bytes = self?.answer(request) else {
            return
          }
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
