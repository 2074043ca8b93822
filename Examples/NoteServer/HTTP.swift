// What a server framework would do in its place: one request for each connection.
internal import Foundation

/// A request of at most 64 KB.
struct Request: Sendable {
  let method: String
  let path: String
  /// The body; nil without a length, or if it is not UTF-8.
  let text: String?

  /// Reads a request from a socket; nil if it is none.
  init?(from socket: Int32) {
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 1 << 16 {
      if let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) {
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
          .split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        let field = lines.first { $0.lowercased().hasPrefix("content-length:") }
        let value = field?.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)
        let length = value.map { Int($0) ?? -1 }
        guard words.count == 3, length ?? 0 >= 0 else { return nil }
        let body = bytes[end.upperBound...]
        if body.count >= length ?? 0 {
          (method, path) = (words[0], words[1])
          text = length.flatMap { String(data: body.prefix($0), encoding: .utf8) }
          return
        }
      }
      let count = recv(socket, &buffer, buffer.count, 0)
      // The peer is gone, or has sent nothing for five seconds.
      guard count > 0 else { return nil }
      bytes += buffer.prefix(count)
    }
    return nil
  }
}

/// A status and JSON.
struct Answer: Sendable {
  private let bytes: Data

  init(_ status: Int, _ body: Data = Data()) {
    let length = status == 204 ? "" : "Content-Length: \(body.count)\r\n"
    let type = body.isEmpty ? "" : "Content-Type: application/json\r\n"
    let head = "HTTP/1.1 \(status) \r\n\(length)\(type)Connection: close\r\n\r\n"
    bytes = Data(head.utf8) + body
  }

  /// Sends the answer, and closes the socket.
  func send(to socket: Int32) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // A client that has gone wants no answer.
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    close(socket)
  }
}

/// A free port of 127.0.0.1.
struct Listener: Sendable {
  let port: UInt16
  private let descriptor: Int32

  /// Listens.
  ///
  /// - Throws: `POSIXError`.
  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Self.error() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isListening else { throw Self.error() }
    port = UInt16(bigEndian: address.sin_port)
    self.descriptor = descriptor
  }

  private static func error() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  /// Answers requests without an end.
  func run(_ answer: @escaping @Sendable (Request) async -> Answer) {
    while true {
      let connection = accept(descriptor, nil, nil)
      guard connection >= 0 else {
        // Too many are open: some will have ended soon.
        usleep(100_000)
        continue
      }
      var patience = timeval(tv_sec: 5, tv_usec: 0)
      let size = socklen_t(MemoryLayout<timeval>.size)
      setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
      setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
      // Reading and writing block, so they are on threads of Dispatch, not of the tasks.
      DispatchQueue.global().async {
        guard let request = Request(from: connection) else {
          return Answer(400).send(to: connection)
        }
        Task {
          let reply = await answer(request)
          DispatchQueue.global().async { reply.send(to: connection) }
        }
      }
    }
  }
}

/// Returns when the program is asked to end (SIGTERM).
func terminationSignal() async {
  signal(SIGTERM, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: SIGTERM)
  await withCheckedContinuation { continuation in
    source.setEventHandler { source.cancel() }
    source.setCancelHandler { continuation.resume() }
    source.resume()
  }
}
