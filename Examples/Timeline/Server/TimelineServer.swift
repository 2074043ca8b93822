internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// A REST server on loopback that knows some posts and authors, and forgets all changes at its end.
final class TimelineServer: Sendable {
  private let listener: Listener
  private let state: Mutex<ServerState>

  /// Starts to listen on a port that the system chooses.
  ///
  /// - Throws: ``SocketError``.
  init(_ page: Page = .seed) throws {
    state = Mutex(ServerState(page))
    listener = try Listener()
    accept()
  }

  deinit { stop() }

  /// Where it listens.
  var port: Int { listener.port }

  /// Stops to listen.
  func stop() { listener.stop() }

  /// Whether it refuses everything.
  var isOutOfOrder: Bool {
    get { state.withLock(\.isOutOfOrder) }
    set { state.withLock { $0.isOutOfOrder = newValue } }
  }

  /// Does something to what it knows, as if others had.
  func change(_ body: (inout Page) -> Void) { state.withLock { body(&$0.page) } }

  private func accept() {
    // A queue has a thread of its own while it waits. This one ends when the server does.
    DispatchQueue(label: "timeline.server").async { [weak self, listener] in
      while let client = listener.accept() {
        // A queue for each: one that waits for its request holds up no other.
        DispatchQueue(label: "timeline.connection").async { [weak self] in
          let connection = Connection(client)
          // Who does not speak HTTP, or has gone, gets no answer.
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
