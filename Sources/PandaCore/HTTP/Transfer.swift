internal import CCurl
internal import FoundationEssentials
internal import Glibc

/// One hop in progress: the easy handle, and the data received so far.
///
/// Not Sendable: it lives on the client's thread, as do libcurl's callbacks.
final class Transfer {
  /// The reasons why a callback stopped libcurl.
  enum Stop {
    /// Everything needed has arrived; the rest is not worth reading.
    case enough
    /// The body is larger than the request allows, or is announced to be.
    case tooLarge
    /// The head exceeds the limits, or leaves the end of the response undefined.
    case badHead(String)
    /// The address that the host's name resolves to is refused.
    case privateAddress(String)
  }

  /// The maximum number of bytes to keep of the body of a 401 or 429.
  private static let reasonBytes = 4096

  let plan: TransferPlan
  let ticket: TransferTicket
  private let curl: CurlLibrary
  private(set) var easy: EasyHandle

  private var head = ResponseHead()
  private var headBytes = 0
  private var body = Data()
  private var discarded = 0
  private var stop: Stop?

  init(_ plan: TransferPlan, ticket: TransferTicket, curl: CurlLibrary) throws(HTTPError) {
    self.plan = plan
    self.ticket = ticket
    self.curl = curl
    easy = try EasyHandle(curl, CurlContext(host: plan.address.authority, limits: plan.limits))
    try configure()
  }

  // MARK: - Configuration

  private func configure() throws(HTTPError) {
    try configureRequest()
    try configureLimits()
    try configureCallbacks()
  }

  private func configureRequest() throws(HTTPError) {
    try easy.set(CURLOPT_URL, plan.address.text)
    try easy.allowHTTP()
    try easy.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    try easy.set(CURLOPT_HTTPGET, 1)
    try easy.set(CURLOPT_USERAGENT, plan.userAgent)
    try easy.add(header: "Accept: \(plan.accept.printableASCII)")
    // RedirectTrail follows redirects: libcurl would not check a hop's text with the address
    // policy.
    try easy.set(CURLOPT_FOLLOWLOCATION, 0)
    try easy.set(CURLOPT_NETRC, panda_curl_netrc_ignored)
    // Pictures are compressed already. What is compressed unasked is decompressed in small pieces,
    // so that a bomb ends at the limit of the body.
    try easy.set(CURLOPT_ACCEPT_ENCODING, "")
    try easy.add(header: "Accept-Encoding: identity")
    try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
    try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
    try easy.set(CURLOPT_SSLVERSION, panda_curl_tls_1_2)
    if let file = plan.trust.file { try easy.set(CURLOPT_CAINFO, file) }
    if let directory = plan.trust.directory { try easy.set(CURLOPT_CAPATH, directory) }
    // Empty text prevents libcurl from reading the environment itself.
    try easy.set(CURLOPT_PROXY, plan.proxy ?? "")
    try easy.set(CURLOPT_NOPROXY, "")
    try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
  }

  private func configureLimits() throws(HTTPError) {
    let limits = plan.limits
    // Signals belong to the program: libcurl must not use SIGALRM.
    try easy.set(CURLOPT_NOSIGNAL, 1)
    // Removing a handle must not wait for getaddrinfo, which cannot be interrupted.
    try easy.abandonLookups()
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.curlMilliseconds)
    try easy.set(CURLOPT_TIMEOUT_MS, limits.total.curlMilliseconds)
    try easy.set(CURLOPT_LOW_SPEED_LIMIT, limits.lowSpeed)
    try easy.set(CURLOPT_LOW_SPEED_TIME, limits.lowSpeedTime.curlSeconds)
  }

  private func configureCallbacks() throws(HTTPError) {
    // Unretained: CurlLoop retains the transfer until the handle has left the multi handle.
    let context = Unmanaged.passUnretained(self).toOpaque()
    try easy.collectErrors()
    try easy.set(CURLOPT_WRITEDATA, context)
    try easy.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      Transfer.from(context).receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    try easy.set(CURLOPT_HEADERDATA, context)
    try easy.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      Transfer.from(context).receiveHead(
        UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    try easy.set(CURLOPT_OPENSOCKETDATA, context)
    try easy.setOpenSocket { context, _, address in
      guard let address else { return panda_curl_socket_bad }
      return Transfer.from(context).openSocket(address)
    }
    try easy.set(CURLOPT_PREREQDATA, context)
    try easy.setBeforeRequest { context, remote, _, _, _ in
      Transfer.from(context).maySend(remote.map { String(cString: $0) } ?? "")
        ? panda_curl_prereq_ok : panda_curl_prereq_abort
    }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
  }

  // MARK: - Callbacks for permission (CURLOPT_OPENSOCKETFUNCTION, CURLOPT_PREREQFUNCTION)

  /// Creates the socket, unless the policy refuses its address.
  private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    let ip = IPAddress(panda_curl_address(address))
    // A proxy is the user's own choice, and it is the proxy that connects to the host.
    if plan.proxy == nil, !(ip.map { plan.policy.permits($0, for: plan.address) } ?? false) {
      stop = .privateAddress(ip?.description ?? "an address that is not IP")
      return panda_curl_socket_bad
    }
    // Child processes must not inherit the connection.
    return socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
      address.pointee.protocol)
  }

  /// Returns whether the request may be sent over the connection.
  ///
  /// A reused connection was opened for another request, whose policy may have allowed more.
  private func maySend(_ remote: String) -> Bool {
    if plan.proxy == nil,
      !(IPAddress(remote).map { plan.policy.permits($0, for: plan.address) } ?? false)
    {
      stop = .privateAddress(remote)
      return false
    }
    // Another of the host's addresses was refused, but this one is allowed.
    stop = nil
    return true
  }

  // MARK: - Callbacks for data. Returning any number other than the count stops the transfer.

  private func receiveHead(_ line: UnsafeRawBufferPointer) -> Int {
    headBytes += line.count
    guard headBytes <= plan.limits.headBytes else {
      stop = .badHead("the head is longer than \(plan.limits.headBytes) bytes")
      return 0
    }
    let wasComplete = head.isComplete
    head.take(line)
    if head.isComplete, !wasComplete {
      if head.hasBadLength {
        stop = .badHead("Content-Length is not a number, or there are two")
        return 0
      }
      if let length = head.contentLength {
        if head.hasAnswer, length > plan.byteLimit {
          stop = .tooLarge
          return 0
        }
        if !head.hasAnswer, length > plan.limits.discardedBytes {
          stop = .enough
          return 0
        }
        if head.hasAnswer { body.reserveCapacity(length) }
      }
    }
    return line.count
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
    // The ticket is already resolved: the thread is about to learn of it.
    if ticket.isResolved { return bytes.isEmpty ? 1 : 0 }
    guard head.hasAnswer else {
      // It may say how long to wait.
      if [401, 429].contains(head.status) {
        body += bytes.prefix(max(0, Self.reasonBytes - body.count))
      }
      discarded += bytes.count
      if discarded > plan.limits.discardedBytes {
        stop = .enough
        return 0
      }
      return bytes.count
    }
    guard bytes.count <= plan.byteLimit - body.count else {
      stop = .tooLarge
      return 0
    }
    body.append(contentsOf: bytes)
    let expected = head.isCompressed ? nil : head.contentLength
    plan.progress?(HTTPProgress(bytesReceived: body.count, expectedBytes: expected))
    return bytes.count
  }

  // MARK: - Result

  /// Resolves the ticket with the result of the hop.
  func finish(_ code: CURLcode) {
    let context = CurlContext(
      host: plan.address.authority, limits: plan.limits, usesProxy: plan.proxy != nil,
      message: easy.errorMessage,
      systemError: Int32(truncatingIfNeeded: easy.long(CURLINFO_OS_ERRNO)), bytes: body.count,
      elapsed: .microseconds(easy.number(CURLINFO_TOTAL_TIME_T)), stage: stage)
    ticket.succeed(
      with: TransferReport(
        head: head, body: body, elapsed: context.elapsed,
        retryAfter: easy.number(CURLINFO_RETRY_AFTER), failure: failure(code, context)))
  }

  /// Returns the reason for the failure: the callback's own, or else libcurl's.
  private func failure(_ code: CURLcode, _ context: CurlContext) -> HTTPError? {
    func error(_ kind: HTTPError.Kind, _ text: String) -> HTTPError {
      HTTPError(kind, host: context.host, detail: context.detail("stopped", text))
    }
    switch stop {
    case .enough: return nil
    case .tooLarge:
      let length = head.contentLength.map { "\($0) bytes announced" } ?? "no length announced"
      return error(.tooLarge(limit: plan.byteLimit), length)
    case .badHead(let reason): return error(.malformed, reason)
    case .privateAddress(let ip): return error(.privateAddress, "no connection to \(ip)")
    case nil:
      do throws(HTTPError) {
        try curl.check(code, context)
        return nil
      } catch {
        return error
      }
    }
  }

  private var stage: CurlContext.Stage {
    if easy.number(CURLINFO_PRETRANSFER_TIME_T) > 0 { return .connected }
    return easy.number(CURLINFO_NAMELOOKUP_TIME_T) > 0 ? .connecting : .resolving
  }
}

extension String {
  /// The text without any characters that could end a header line.
  var printableASCII: String {
    String(decoding: utf8.filter { (0x20...0x7e).contains($0) }, as: UTF8.self)
  }
}
