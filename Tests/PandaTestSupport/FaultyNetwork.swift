internal import Glibc
internal import SystemSupport

/// A network between programs and a PostgreSQL server, which fails on command.
///
/// It is a TCP proxy at a port of 127.0.0.1 in front of the server's Unix socket.
public final class FaultyNetwork: Sendable {
  /// What happens to all bytes.
  public enum Weather: Equatable, Sendable {
    /// They pass.
    case fair
    /// They pass later.
    case slow(Duration)
    /// They wait. New connections are never answered.
    case silent
    /// All connections are reset, and new ones closed at once, as if the server had been killed.
    case down
  }

  /// What happens to the connections of one moment.
  public enum Harm: Equatable, Sendable {
    /// Nothing passes any more, silently.
    case forget
    /// The server's bytes no longer arrive; those sent to it do.
    case deafen
    /// They are reset after so many more bytes of the server's.
    case cut(after: Int)
    /// Those that silence keeps waiting for an answer are closed.
    case refuse
  }

  /// The port of 127.0.0.1.
  public let port: Int

  private struct Orders {
    var weather = Weather.fair
    var harms: [Harm] = []
    var isOver = false
  }

  private let orders: SharedOrders
  private let thread: PosixThread

  private final class SharedOrders: Sendable {
    let lock = Lock(Orders())
  }

  /// Opens a port in front of the socket at a path.
  public init(to path: String) throws {
    let (listener, port) = try Sockets.listen(at: "127.0.0.1", backlog: 64)
    self.port = port
    let orders = SharedOrders()
    self.orders = orders
    thread = try PosixThread {
      var traffic = Traffic(listener: listener, path: path)
      var isOver = false
      while !isOver {
        traffic.wait()
        // Under the lock, so that nothing passes any more once an order has been given.
        orders.lock.withLock { orders in
          for harm in orders.harms { traffic.suffer(harm) }
          orders.harms = []
          traffic.pass(orders.weather)
          isOver = orders.isOver
        }
      }
      traffic.end()
    }
  }

  /// Closes everything.
  public func stop() {
    orders.lock.withLock { $0.isOver = true }
    thread.join()
  }

  /// Changes what happens to all bytes.
  public func turn(_ weather: Weather) { orders.lock.withLock { $0.weather = weather } }

  /// Harms the connections that there are now.
  public func harm(_ harm: Harm) { orders.lock.withLock { $0.harms.append(harm) } }
}

/// The connections of a network, on its thread.
private struct Traffic {
  /// One direction of a connection.
  private struct Way {
    let source: Int32
    let target: Int32
    var waiting: [(due: ContinuousClock.Instant, bytes: ArraySlice<UInt8>)] = []
    /// Whether one of its ends was closed.
    var hasEnded = false
    /// How many bytes still pass; nil for all.
    var rest: Int?
    var isStopped = false

    init(from source: Int32, to target: Int32) { (self.source, self.target) = (source, target) }
  }

  private struct Connection {
    var toServer: Way
    var toClient: Way
    var isForgotten = false
  }

  private let listener: Int32
  private let path: String
  private var connections: [Connection] = []
  private var isSilent = false
  private var hasCaller = false

  init(listener: Int32, path: String) {
    self.listener = listener
    self.path = path
  }

  mutating func suffer(_ harm: FaultyNetwork.Harm) {
    var caller = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    var refused: [Int32] = []
    while harm == .refuse, poll(&caller, 1, 0) > 0 {
      refused.append(Sockets.accept(from: listener))
    }
    // Only now, since one that is refused may call again.
    for client in refused { _ = Glibc.close(client) }
    for index in connections.indices {
      switch harm {
      case .forget: connections[index].isForgotten = true
      case .deafen: connections[index].toClient.isStopped = true
      case .cut(let count): connections[index].toClient.rest = count
      case .refuse: break
      }
    }
  }

  /// Waits a moment for bytes.
  mutating func wait() {
    var watched = [pollfd(fd: isSilent ? -1 : listener, events: Int16(POLLIN), revents: 0)]
    if !isSilent {
      for connection in connections where !connection.isForgotten {
        for source in [connection.toServer.source, connection.toClient.source] {
          watched.append(pollfd(fd: source, events: Int16(POLLIN), revents: 0))
        }
      }
    }
    // Orders are looked at as often as this, and what is late when it is due.
    let due = connections.flatMap { [$0.toServer, $0.toClient].compactMap(\.waiting.first?.due) }
    let rest = due.min().map { ($0 - .now) / .milliseconds(1) } ?? 2
    _ = poll(&watched, nfds_t(watched.count), Int32(min(max(rest, 0), 2).rounded()))
    hasCaller = watched[0].revents != 0
  }

  /// Passes what is due.
  mutating func pass(_ weather: FaultyNetwork.Weather) {
    isSilent = weather == .silent
    guard !isSilent else { return }
    if hasCaller { accept() }
    if weather == .down {
      for connection in connections { Self.close(connection, resets: true) }
      connections = []
    }
    let delay = if case .slow(let time) = weather { time } else { Duration.zero }
    for index in connections.indices where !connections[index].isForgotten {
      Self.move(&connections[index].toServer, delay)
      Self.move(&connections[index].toClient, delay)
    }
    connections.removeAll { connection in
      let isCut = connection.toClient.rest == 0
      guard isCut || connection.toServer.hasEnded || connection.toClient.hasEnded else {
        return false
      }
      Self.close(connection, resets: isCut)
      return true
    }
  }

  private mutating func accept() {
    let client = Sockets.accept(from: listener)
    guard client >= 0 else { return }
    guard let server = try? Sockets.connect(to: path) else {  // the client sees it closed
      _ = Glibc.close(client)
      return
    }
    connections.append(
      Connection(
        toServer: Way(from: client, to: server), toClient: Way(from: server, to: client)))
  }

  private static func move(_ way: inout Way, _ delay: Duration) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(way.source, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      let passing = way.isStopped ? 0 : min(count, way.rest ?? count)
      way.rest = way.rest.map { $0 - passing }
      if passing > 0 { way.waiting.append((.now + delay, buffer[..<passing])) }
    } else if count == 0 || errno != EAGAIN && errno != EINTR {
      way.hasEnded = true
    }
    while let (due, bytes) = way.waiting.first, due <= .now {
      let sent = Array(bytes).withUnsafeBytes {
        send(way.target, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      }
      guard sent >= 0 else {
        if errno != EAGAIN, errno != EINTR { way.hasEnded = true }
        return
      }
      way.waiting[0].bytes = bytes.dropFirst(sent)
      if way.waiting[0].bytes.isEmpty { way.waiting.removeFirst() }
    }
  }

  /// Closes both ends; the client's as after a crash, if it was cut.
  private static func close(_ connection: Connection, resets: Bool) {
    let client = connection.toServer.source
    if resets {
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(client, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
    _ = Glibc.close(client)
    _ = Glibc.close(connection.toServer.target)
  }

  mutating func end() {
    for connection in connections { Self.close(connection, resets: false) }
    connections = []
    _ = Glibc.close(listener)
  }
}
