internal import Dispatch
internal import Glibc
internal import SystemSupport

/// A question to a server whether it is there, on a connection of its own.
///
/// It asks for TLS, which every server answers with one byte before anything else
/// (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-SSL). Nobody logs in.
///
/// Sendable because it is used on its queue only.
final class PostgresProbe: @unchecked Sendable {
  private let socket: Int32
  private var reading: (any DispatchSourceRead)?
  private var writing: (any DispatchSourceWrite)?
  private var completion: ((Bool) -> Void)?

  /// Asks the other end of `connection`, and calls `completion` on the queue, unless the probe is
  /// given up before.
  ///
  /// A probe that cannot be made proves nothing: the server counts as there.
  init(
    of connection: Int32, on queue: DispatchQueue, within limit: DispatchTimeInterval,
    completion: @escaping (Bool) -> Void
  ) {
    self.completion = completion
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getpeername(connection, $0, &length) == 0
      }
    }
    let socket = isKnown ? Descriptors.streamSocket(Int32(address.ss_family)) : -1
    self.socket = socket
    guard socket >= 0 else {
      queue.async { [weak self] in self?.end(true) }
      return
    }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, length) }
    }
    guard result == 0 || errno == EINPROGRESS else {
      let isThere = Self.provesNothing(errno)
      close(socket)
      queue.async { [weak self] in self?.end(isThere) }
      return
    }
    let (reading, writing) = (
      DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue),
      DispatchSource.makeWriteSource(fileDescriptor: socket, queue: queue)
    )
    writing.setEventHandler { [weak self] in self?.ask() }
    reading.setEventHandler { [weak self] in self?.hear() }
    // The descriptor is closed once neither looks at it.
    let both = DispatchGroup()
    for source in [reading, writing] as [any DispatchSourceProtocol] {
      both.enter()
      source.setCancelHandler { both.leave() }
    }
    both.notify(queue: queue) { close(socket) }
    (self.reading, self.writing) = (reading, writing)
    reading.resume()
    writing.resume()
    queue.asyncAfter(deadline: .now() + limit) { [weak self] in self?.end(false) }
  }

  deinit {
    reading?.cancel()
    writing?.cancel()
  }

  private func ask() {
    // The length of the message, and the number of the request: 1234 and 5679.
    let request: [UInt8] = [0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F]
    let count = request.withUnsafeBytes {
      send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count < 0, errno == EAGAIN { return }
    writing?.cancel()
    writing = nil
    if count != request.count { end(Self.provesNothing(errno)) }
  }

  private func hear() {
    var answer: UInt8 = 0
    let count = recv(socket, &answer, 1, 0)
    if count < 0, errno == EAGAIN { return }
    // Also an error, and the end of the connection, is an answer.
    end(count >= 0 || Self.provesNothing(errno))
  }

  /// Whether an error does not show that the server is gone.
  ///
  /// Only silence and the full queue of a local socket do: other errors are answers, or come from
  /// this machine.
  private static func provesNothing(_ error: Int32) -> Bool {
    ![ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, EAGAIN].contains(error)
  }

  private func end(_ isThere: Bool) {
    let completion = completion
    self.completion = nil
    completion?(isThere)
  }
}
