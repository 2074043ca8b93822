internal import CDescriptors
public import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// Is a real HTTP/1.1 server on the loopback interface, for tests and benchmarks.
///
/// Blocking sockets, one thread for each connection, keep-alive. It answers well through routes,
/// and as badly as one likes through raw routes, which write bytes themselves. A path that no
/// route has gets a 404. Call `stop()` when done: the threads keep the server alive.
public final class LoopbackServer: Sendable {
  /// Answers a request.
  public typealias Handler = @Sendable (LoopbackRequest) -> LoopbackResponse

  /// Answers a request with whatever bytes it likes, or none.
  ///
  /// The connection is closed when it returns, unless it set `staysOpen`.
  public typealias RawHandler = @Sendable (LoopbackRequest, LoopbackConnection) -> Void

  /// Tells what the server has seen.
  public struct Counts: Equatable, Sendable {
    /// How many requests were read.
    public internal(set) var requests = 0
    /// How many connections were ever accepted.
    public internal(set) var connections = 0
    /// How many connections are open.
    public internal(set) var open = 0
  }

  /// The port, chosen by the system.
  public let port: Int

  /// The address, such as `127.0.0.1`.
  public let host: String

  private enum Route {
    case answer(Handler)
    case raw(RawHandler)
  }

  private struct Waiter {
    let condition: @Sendable (Counts) -> Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var routes: [String: Route] = [:]
    var counts = Counts()
    var requests: [LoopbackRequest] = []
    var open: [Int: Int32] = [:]
    var running: [Int: PosixThread] = [:]
    var finished: [PosixThread] = []
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
    var accepting: PosixThread?
    var isStopping = false
  }

  private let listener: Int32
  private let state = Lock(State())

  /// Starts a server.
  ///
  /// - Parameter host: an address of the loopback interface: all of 127.0.0.0/8 is.
  /// - Throws: `SocketError`.
  public init(host: String = "127.0.0.1") throws {
    (listener, port) = try Sockets.listen(at: host, backlog: 1024)
    self.host = host
    let thread = try PosixThread { [self] in acceptAll() }
    state.withLock { $0.accepting = thread }
  }

  // MARK: - Routes

  /// Answers a path with a handler.
  ///
  /// A path that ends in `*` stands for all that start like it.
  public func serve(_ path: String, with handler: @escaping Handler) {
    state.withLock { $0.routes[path] = .answer(handler) }
  }

  /// Answers a path always with the same response.
  public func serve(_ path: String, _ response: LoopbackResponse) {
    serve(path) { _ in response }
  }

  /// Answers a path with raw bytes.
  public func serveRaw(_ path: String, with handler: @escaping RawHandler) {
    state.withLock { $0.routes[path] = .raw(handler) }
  }

  /// Answers a path with exactly this text, then closes the connection.
  public func serveRaw(_ path: String, _ text: String) {
    serveRaw(path) { _, connection in connection.send(text) }
  }

  /// Returns the address of a path, with the server's own host unless another name is given.
  public func url(_ path: String, host: String? = nil) -> URL {
    URL(string: "http://\(host ?? self.host):\(port)\(path)")!
  }

  // MARK: - What happened

  /// What the server has seen so far.
  public var counts: Counts { state.withLock { $0.counts } }

  /// The requests in the order in which they were read.
  public var requests: [LoopbackRequest] { state.withLock { $0.requests } }

  /// Waits until the server has seen something.
  ///
  /// - Throws: `DeadlineError` if it does not happen in time.
  public func wait(
    within deadline: Duration = .seconds(120),
    until condition: @escaping @Sendable (Counts) -> Bool
  ) async throws {
    try await withDeadline(deadline) { try await self.reaches(condition) }
  }

  private func reaches(_ condition: @escaping @Sendable (Counts) -> Bool) async throws {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled || condition(state.counts) { return true }
          state.waiters[id] = Waiter(condition: condition, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Changes the state, then resumes the callers that waited for it.
  private func change(_ body: (inout State) -> Void) {
    let ready = state.withLock { state in
      body(&state)
      let counts = state.counts
      let ids = state.waiters.filter { $0.value.condition(counts) }.keys
      return ids.compactMap { state.waiters.removeValue(forKey: $0)?.continuation }
    }
    for continuation in ready { continuation.resume() }
  }

  // MARK: - The end

  /// Closes everything and waits for all threads.
  ///
  /// May be called twice, but not by a handler.
  public func stop() {
    let accepting = state.withLock { state in
      defer { state.accepting = nil }
      state.isStopping = true
      // Wakes the threads that wait in accept, recv, send and poll.
      if state.accepting != nil { shutdown(listener, Int32(SHUT_RDWR)) }
      for descriptor in state.open.values { shutdown(descriptor, Int32(SHUT_RDWR)) }
      return state.accepting
    }
    guard let accepting else { return }
    accepting.join()
    close(listener)
    let threads = state.withLock { Array($0.running.values) + $0.finished }
    for thread in threads { thread.join() }
    state.withLock { state in
      state.running = [:]
      state.finished = []
    }
  }

  // MARK: - The threads

  private func acceptAll() {
    var id = 0
    while true {
      // Not inherited: a program that another test starts would keep the connection open.
      let descriptor = panda_accept(listener)
      guard descriptor >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return
      }
      id += 1
      admit(descriptor, as: id)
    }
  }

  private func admit(_ descriptor: Int32, as id: Int) {
    let (isStopping, finished) = state.withLock { state in
      defer { state.finished = [] }
      return (state.isStopping, state.finished)
    }
    for thread in finished { thread.join() }
    guard !isStopping else {
      close(descriptor)
      return
    }
    change { state in
      state.open[id] = descriptor
      state.counts.connections += 1
      state.counts.open += 1
      // The thread cannot end before it is written down: it needs the lock to do so.
      do {
        state.running[id] = try PosixThread { [self] in
          speak(LoopbackConnection(descriptor), as: id)
        }
      } catch {
        close(descriptor)
        state.open[id] = nil
        state.counts.open -= 1
      }
      // stop() may have come in between, and did not see this one.
      if state.isStopping { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  private func speak(_ connection: LoopbackConnection, as id: Int) {
    repeat {
      connection.staysOpen = false
      guard let request = connection.receiveRequest() else { break }
      change { state in
        state.requests.append(request)
        state.counts.requests += 1
      }
      switch route(for: request.path) {
      case .answer(let handler):
        let response = handler(request)
        connection.staysOpen = connection.send(response.bytes(for: request)) && !request.wantsClose
      case .raw(let handler):
        handler(request, connection)
      case nil:
        let response = LoopbackResponse(status: 404, body: "not here\n")
        connection.staysOpen = connection.send(response.bytes(for: request)) && !request.wantsClose
      }
    } while connection.staysOpen
    change { state in
      state.open[id] = nil
      state.counts.open -= 1
      // After it left `open`, so that no caller shuts down a number that means another socket.
      connection.close()
      if let thread = state.running.removeValue(forKey: id) { state.finished.append(thread) }
    }
  }

  private func route(for path: String) -> Route? {
    state.withLock { state in
      if let route = state.routes[path] { return route }
      let prefix = state.routes.keys
        .filter { $0.hasSuffix("*") && path.hasPrefix($0.dropLast()) }
        .max { $0.count < $1.count }
      return prefix.flatMap { state.routes[$0] }
    }
  }
}
