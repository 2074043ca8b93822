internal import CPantryPostgreSQL
internal import Dispatch
internal import Glibc

/// One connection of libpq, which never blocks: sockets are watched on a queue.
///
/// Sendable because it is used on that queue only, its own closures included.
final class PostgresConnection: @unchecked Sendable {
  typealias Completion = (Result<[PostgresRows], PostgresError>) -> Void

  private struct Batch {
    var results: [PostgresRows] = []
    var error: PostgresError?
    /// For each result to come, last first: whether it is that of preparing a statement.
    var preparations: [Bool] = []
    var prepared: [String] = []
    let completion: Completion
  }

  /// The host, port and database, for messages.
  let place: String
  /// Called with what others have sent, and when the connection is lost.
  var onNotification: ((Notification) -> Void)?
  var onLoss: ((PostgresError) -> Void)?

  /// The number of the server's process, received at the start.
  var sessionNumber: Int64 { Int64(pq.backendPID(handle)) }

  private let pq: pantry_pq
  private let handle: OpaquePointer
  private let queue: DispatchQueue
  private var reading: (any DispatchSourceRead)?
  /// The one-time watch of the socket while it connects or cannot take more.
  private var waiting: (any DispatchSourceProtocol)?
  /// The batches that the server is working on, in its order.
  private var batches: [Batch] = []
  /// The names of the statements that the server keeps.
  private var statements: [String: String] = [:]
  private var statementCount = 0
  /// The time at which the server was last heard or asked.
  private var lastHeard = DispatchTime.now()
  /// The timer for its silence; one serves many answers.
  private var silence: DispatchWorkItem?
  /// The bytes that had come when an answer was whole last, or a notification.
  private var answeredBytes: UInt64 = 0
  private var isReady = false
  private var hasEnded = false

  /// Whether the server keeps statements; behind a pooler, each transaction has another session.
  var keepsStatements = true
  /// The longest silence of the server while it works.
  var silenceLimit = PostgresConnection.longestSilence {
    didSet { if silence != nil { watchSilence() } }
  }
  /// The silence of a server that is given up, although it answers others.
  static let longestSilence = Duration.seconds(60)
  /// The silence after which the server is asked whether it is there at all.
  private static let silenceBeforeProbe = Duration.seconds(4)
  /// The time for its answer to that.
  private static let probeLimit = DispatchTimeInterval.seconds(4)
  private var probe: PostgresProbe?
  /// The number of probes so far, for the tests.
  private(set) var probeCount = 0

  private init(_ handle: OpaquePointer, place: String, pq: pantry_pq, queue: DispatchQueue) {
    self.handle = handle
    self.place = place
    self.pq = pq
    self.queue = queue
  }

  deinit {
    reading?.cancel()
    pq.finish(handle)
  }

  // MARK: Connecting

  /// Connects within a time limit, and calls `completion` on the queue.
  static func connect(
    to address: PostgresAddress, by attempt: PostgresAddress.Attempt, library: PostgresLibrary,
    on queue: DispatchQueue, within limit: Duration,
    completion: @escaping (Result<PostgresConnection, PostgresError>) -> Void
  ) {
    let pq = library.functions
    func start(_ parameters: [(name: String, value: String)]) -> OpaquePointer? {
      withCStrings(parameters.map(\.name)) { names in
        withCStrings(parameters.map(\.value)) { values in
          pq.connectStartParams(names, values, 1)
        }
      }
    }
    var handle = start(address.parameters(for: attempt))
    if let first = handle, address.requiresEncryption(first, pq) {
      // Nothing has been sent yet.
      pq.finish(first)
      handle = start(address.parameters(for: attempt) + [("sslmode", "require")])
    }
    guard let handle else {
      return completion(.failure(PostgresError(.cutOff, "out of memory", place: attempt.place)))
    }
    // libpq prints warnings, and what ended a connection, over the screen otherwise.
    _ = pq.setNoticeProcessor(handle, { _, _ in }, nil)
    let connection = PostgresConnection(handle, place: attempt.place, pq: pq, queue: queue)
    guard pq.status(handle) != pantry_pq_connection_bad else {
      return completion(.failure(connection.error()))
    }
    let timeout = DispatchWorkItem {
      guard !connection.isReady else { return }
      connection.end(
        PostgresError(.cutOff, PostgresError.unanswered, place: attempt.place))
    }
    connection.batches = [
      Batch { result in
        timeout.cancel()
        completion(result.map { _ in connection })
      }
    ]
    queue.asyncAfter(deadline: .now() + interval(limit), execute: timeout)
    connection.wait(toWrite: true) { connection.goOnConnecting() }
  }

  private func goOnConnecting() {
    guard !hasEnded, isWithinLimit() else { return }
    switch pq.connectPoll(handle) {
    case pantry_pq_polling_reading: wait(toWrite: false) { [self] in goOnConnecting() }
    case pantry_pq_polling_writing: wait(toWrite: true) { [self] in goOnConnecting() }
    case pantry_pq_polling_ok:
      guard pq.serverVersion(handle) >= 130_000 else {
        let number = pq.serverVersion(handle)
        return end(
          PostgresError(.oldServer, "it is version \(number / 10_000)", place: place))
      }
      guard pq.setnonblocking(handle, 1) == 0, pq.enterPipelineMode(handle) == 1 else {
        return end(error())
      }
      isReady = true
      startReading()
      if !hasEnded { finishBatch() }
    default: end(error())
    }
  }

  /// Calls `body` once the socket is ready.
  private func wait(toWrite: Bool, _ body: @escaping () -> Void) {
    guard let socket = watchedSocket() else { return end(error()) }
    let source: any DispatchSourceProtocol =
      toWrite
      ? DispatchSource.makeWriteSource(fileDescriptor: socket, queue: queue)
      : DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
    source.setEventHandler { source.cancel() }
    source.setCancelHandler { [self] in
      close(socket)
      waiting = nil
      body()
    }
    waiting = source
    source.resume()
  }

  /// A descriptor of its own for a watch.
  ///
  /// libpq closes its socket as soon as it knows that the server is gone, in any call, and a watch
  /// of a closed descriptor never ends.
  private func watchedSocket() -> Int32? {
    let socket = pq.socket(handle)
    guard socket >= 0 else { return nil }
    let copy = fcntl(socket, F_DUPFD_CLOEXEC, 3)
    return copy >= 0 ? copy : nil
  }

  // MARK: Working

  /// Sends commands together, and calls `completion` with the rows of each, or the first error.
  ///
  /// Without BEGIN they are one transaction. The server works on them after those sent before.
  func send(_ commands: [Command], completion: @escaping Completion) {
    guard !hasEnded else {
      return completion(
        .failure(PostgresError(.cutOff, "the connection was lost", place: place)))
    }
    var batch = Batch(completion: completion)
    for command in commands where !send(command, in: &batch) {
      batches.append(batch)
      return end(error())
    }
    batch.preparations.reverse()
    batches.append(batch)
    guard pq.pipelineSync(handle) == 1 else { return end(error()) }
    expectAnswer()
    flush()
  }

  private func send(_ command: Command, in batch: inout Batch) -> Bool {
    var buffer: [UInt8] = []
    var offsets: [Int] = []
    for value in command.values {
      offsets.append(buffer.count)
      value.append(to: &buffer)
    }
    offsets.append(buffer.count)
    // An empty value must not be a null pointer, which is NULL.
    buffer.append(0)
    guard prepareIfNeeded(command, in: &batch) else { return false }
    batch.preparations.append(false)
    let statement = command.isPrepared ? statements[command.sql] : nil
    return buffer.withUnsafeBufferPointer { bytes in
      let base = UnsafeRawPointer(bytes.baseAddress!).assumingMemoryBound(to: CChar.self)
      let count = command.values.count
      let values = (0..<count).map { Optional(base + offsets[$0]) }
      let lengths = (0..<count).map { Int32(offsets[$0 + 1] - offsets[$0]) }
      let formats = [Int32](repeating: 1, count: count)
      if let statement {
        return pq.sendQueryPrepared(
          handle, statement, Int32(count), values, lengths, formats, 1) == 1
      }
      return pq.sendQueryParams(
        handle, command.sql, Int32(count), command.values.map(\.type), values, lengths, formats, 1)
        == 1
    }
  }

  /// Prepares a statement, unless the server has it already.
  private func prepareIfNeeded(_ command: Command, in batch: inout Batch) -> Bool {
    guard command.isPrepared, keepsStatements, statements[command.sql] == nil else { return true }
    statementCount += 1
    let name = "pantry_\(statementCount)"
    statements[command.sql] = name
    batch.preparations.append(true)
    batch.prepared.append(command.sql)
    return pq.sendPrepare(
      handle, name, command.sql, Int32(command.values.count), command.values.map(\.type)) == 1
  }

  private func flush() {
    guard !hasEnded, waiting == nil else { return }
    switch pq.flush(handle) {
    case 0: break
    case 1:
      wait(toWrite: true) { [self] in
        // It takes what is sent, so it is there.
        lastHeard = .now()
        flush()
      }
    default: end(error())
    }
  }

  private func startReading() {
    guard let socket = watchedSocket() else { return end(error()) }
    let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
    source.setEventHandler { [weak self] in
      guard let self else { return }
      // To the end: libdispatch reports only once that the other side has hung up.
      repeat { receive() } while !hasEnded && Self.hasMore(socket)
      // libpq takes 8 KB at a time, and OpenSSL may hold the rest of a record of 16 KB, which is
      // no longer in the socket.
      for _ in 1...2 where !batches.isEmpty && pq.sslInUse(handle) == 1 { receive() }
    }
    source.setCancelHandler { close(socket) }
    reading = source
    source.resume()
  }

  /// Whether a socket has more bytes, has come to its end, or has failed.
  private static func hasMore(_ socket: Int32) -> Bool {
    var byte: UInt8 = 0
    // A server that is killed before it has read everything leaves ECONNRESET.
    return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) >= 0 || errno != EAGAIN
  }

  /// The bytes that have come over a network, those in the socket among them; 0 for a local socket.
  private var receivedBytes: UInt64 { pantry_tcp_bytes_received(pq.socket(handle)) }

  /// Ends the connection to a server that sends without an end; returns whether to go on.
  private func isWithinLimit() -> Bool {
    guard receivedBytes > answeredBytes + UInt64(PostgresLimits.answer) else { return true }
    end(PostgresError(.cutOff, "it sent more than was requested", place: place))
    return false
  }

  private func receive() {
    guard !hasEnded, isWithinLimit() else { return }
    let isAlive = pq.consumeInput(handle) == 1
    readResults()
    while let notification = pq.notifies(handle) {
      defer { pq.freemem(notification) }
      if batches.isEmpty { answeredBytes = receivedBytes }
      onNotification?(
        Notification(
          channel: String(cString: notification.pointee.channel),
          isOwn: notification.pointee.process == pq.backendPID(handle)))
    }
    guard isAlive else { return end(error()) }
    if !batches.isEmpty { expectAnswer() }
    // Reading may have made room for more to write.
    flush()
  }

  private func readResults() {
    var wasNone = false
    while !batches.isEmpty, pq.isBusy(handle) == 0 {
      guard let result = pq.getResult(handle) else {
        // One ends the results of each command; two are nothing.
        if wasNone { return }
        wasNone = true
        continue
      }
      wasNone = false
      switch pq.resultStatus(result) {
      case pantry_pq_tuples_ok, pantry_pq_command_ok:
        answeredBytes = receivedBytes
        if batches[0].preparations.popLast() == true {
          pq.clear(result)
        } else {
          batches[0].results.append(PostgresRows(result, pq: pq))
        }
      case pantry_pq_pipeline_sync:
        pq.clear(result)
        finishBatch()
      case pantry_pq_pipeline_aborted: pq.clear(result)
      default:
        let error = refusal(result)
        pq.clear(result)
        if batches[0].error == nil { batches[0].error = error }
      }
    }
  }

  private func finishBatch() {
    answeredBytes = receivedBytes
    let ended = batches.removeFirst()
    // One of them may not have been prepared: all are prepared again, under other names.
    if ended.error != nil { for sql in ended.prepared { statements[sql] = nil } }
    ended.completion(ended.error.map(Result.failure) ?? .success(ended.results))
  }

  /// Ends the connection if the server stays silent for too long.
  private func expectAnswer() {
    lastHeard = .now()
    if silence == nil { watchSilence() }
  }

  private func watchSilence() {
    silence?.cancel()
    let end = min(
      lastHeard + Self.interval(silenceLimit), .now() + Self.interval(Self.silenceBeforeProbe))
    let item = DispatchWorkItem { [weak self] in self?.silenceMayBeTooLong() }
    silence = item
    queue.asyncAfter(deadline: end, execute: item)
  }

  private static func interval(_ duration: Duration) -> DispatchTimeInterval {
    .milliseconds(Int(duration / .milliseconds(1)))
  }

  /// Ends the connection after a long silence, or after a short one if the server does not answer a
  /// stranger either: it may be at work, or the network may take everything and bring nothing.
  private func silenceMayBeTooLong() {
    silence = nil
    guard !hasEnded, !batches.isEmpty else { return }
    guard lastHeard + Self.interval(silenceLimit) > .now() else {
      return end(PostgresError(.cutOff, PostgresError.silent, place: place))
    }
    // It may have been heard since.
    if lastHeard + Self.interval(Self.silenceBeforeProbe) <= .now(), probe == nil {
      let asked = lastHeard
      probeCount += 1
      probe = PostgresProbe(of: pq.socket(handle), on: queue, within: Self.probeLimit) {
        [weak self] isThere in
        guard let self else { return }
        probe = nil
        guard !isThere, !hasEnded, !batches.isEmpty, lastHeard == asked else { return }
        end(PostgresError(.cutOff, PostgresError.unanswered, place: place))
      }
    }
    watchSilence()
  }

  // MARK: Ending

  /// Closes the connection; waiting callers get `error`.
  func end(_ error: PostgresError) {
    guard !hasEnded else { return }
    hasEnded = true
    silence?.cancel()
    probe = nil
    let lost = batches
    batches = []
    let onLoss = onLoss
    (self.onLoss, onNotification) = (nil, nil)
    reading?.cancel()
    reading = nil
    waiting?.cancel()
    for batch in lost { batch.completion(.failure(error)) }
    onLoss?(error)
  }

  private func error() -> PostgresError {
    let message = pq.errorMessage(handle).map { String(cString: $0) } ?? ""
    return PostgresError(.cutOff, Self.reason(in: message), place: place)
  }

  /// Returns what libpq's message says beside the place: "Connection refused".
  ///
  /// The lines after the first one guess at the cause.
  private static func reason(in message: String) -> String {
    var reason = message.prefix { !$0.isNewline }
    if reason.hasPrefix("connection to server"), let end = reason.firstRange(of: " failed: ") {
      reason = reason[end.upperBound...]
    }
    for level in ["FATAL:  ", "ERROR:  "] where reason.hasPrefix(level) {
      reason = reason.dropFirst(level.count)
    }
    return String(reason)
  }

  private func refusal(_ result: OpaquePointer) -> PostgresError {
    let state = pq.resultErrorField(result, pantry_pq_sql_state).map { String(cString: $0) } ?? ""
    let message =
      pq.resultErrorField(result, pantry_pq_primary_message).map { String(cString: $0) } ?? ""
    // Class 57P: an administrator ended the session, or the server shuts down. 08: the connection.
    // 25P03: the session was silent within a transaction.
    let isLoss =
      state.isEmpty || state == "25P03" || state.hasPrefix("57P") || state.hasPrefix("08")
    return PostgresError(isLoss ? .cutOff : .refused(sqlState: state), message, place: place)
  }
}

/// Calls `body` with C strings that are valid meanwhile, and a null pointer after them.
private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafePointer<CChar>?]) -> Result
) -> Result {
  func next(_ rest: ArraySlice<String>, _ pointers: [UnsafePointer<CChar>?]) -> Result {
    guard let first = rest.first else { return body(pointers + [nil]) }
    return first.withCString { next(rest.dropFirst(), pointers + [$0]) }
  }
  return next(strings[...], [])
}
