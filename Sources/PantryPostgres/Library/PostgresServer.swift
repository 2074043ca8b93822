internal import Dispatch
internal import SystemSupport
internal import Pantry

/// This process's connection to a library, for all its namespaces.
///
/// Callers take turns: a turn is a transaction, or a reading. If the connection is lost, the
/// followers learn it, and the server connects again by itself for as long as there are any.
actor PostgresServer {
  nonisolated let address: PostgresAddress
  private nonisolated let pictures: PostgresServer?
  private let queue: DispatchWorkQueue
  nonisolated let executor: QueueExecutor
  nonisolated let liveAttachments = AttachmentsInUse()

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let functions: PostgresLibrary
  /// The state of the tables, known since the last connection.
  private(set) var library = PostgresSchema.Library()
  private(set) var connection: PostgresConnection?
  private(set) var connectionCount = 0
  private(set) var namespaces: [Name: Int64] = [:]

  /// The followers of each namespace.
  let following = Lock<[Name: StorageFollowers]>([:])
  var listening: Set<Int64> = []
  /// Whether it is reached through a pooler, which gives each transaction another session.
  ///
  /// Notifications are lost there, so changes are looked for every two seconds, and settings are
  /// made in each transaction.
  private(set) var isPooled = false
  var unannounced: Set<Int64> = []
  var client: Client?
  var lastAnnouncement = ContinuousClock.now

  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  private var cutOff: PostgresError?
  /// The number of attempts to connect to a host so far.
  private(set) var attemptCount = 0
  /// The number of answers waited for so far, for the tests.
  private(set) var roundTripCount = 0
  /// The number of times that this connection asked whether the server is there, for the tests.
  var probeCount: Int { connection?.probeCount ?? 0 }
  /// How often connecting to one of the hosts began and ended, and how it failed last.
  private var rounds: (begun: Int, ended: Int, failure: PostgresError?) = (0, 0, nil)
  private var reconnecting: Task<Void, Never>?
  var polling: Task<Void, Never>?
  var pollsOfStandby = 0
  private var hasTidied = false

  /// The longest silence of the server while it works; nil for the connection's own limit.
  private var silenceLimit: Duration?
  /// The time limit of an attempt to connect to one host, and of its first answer then.
  private static let attemptLimit = Duration.seconds(4)
  /// The pauses between attempts, in milliseconds: doubled from the first to the last.
  private static let pauses = (first: 100, last: 2_000)
  /// The longest delay of an announcement, to combine it with those of waiting callers.
  static let announcementDelay = Duration.milliseconds(20)
  /// The delay before tidying, so that the first readings have the server to themselves.
  private static let tidyingDelay = Duration.seconds(10)
  /// The polling interval for changes, in case a notification was lost.
  static let pollInterval = Duration.seconds(2)

  // MARK: One for each address

  private static let servers = Lock<[String: Weak]>([:])

  private struct Weak {
    weak var server: PostgresServer?
  }

  /// Returns the server of this process for an address.
  static func shared(_ text: String) throws -> PostgresServer {
    let library = try PostgresLibrary.shared()
    let address = try PostgresAddress(text, library: library)
    return servers.withLock { servers in
      if let server = servers[text]?.server { return server }
      let server = PostgresServer(
        address, library: library, pictures: PostgresServer(address, library: library))
      servers = servers.filter { $0.value.server != nil }
      servers[text] = Weak(server: server)
      return server
    }
  }

  private init(
    _ address: PostgresAddress, library: PostgresLibrary, pictures: PostgresServer? = nil
  ) {
    self.address = address
    self.pictures = pictures
    functions = library
    queue = DispatchWorkQueue(label: "pantry.postgres")
    executor = QueueExecutor(queue)
  }

  /// The connection for attachments, so that rows do not wait for them; made when there is one.
  nonisolated var forPictures: PostgresServer { pictures ?? self }

  deinit {
    reconnecting?.cancel()
    polling?.cancel()
    let connection = connection
    executor.queue.async {
      connection?.end(PostgresError(.cutOff, "the program closed it"))
    }
  }

  // MARK: Turns

  /// Runs `body`, which only reads, in a turn; again if the connection was lost meanwhile, unless
  /// the server was just asked whether it is there.
  func reading<Result: Sendable>(
    _ body: @Sendable (isolated PostgresServer) async throws -> Result
  ) async throws -> Result {
    try await inTurn { server in
      do {
        return try await body(server)
      } catch let error as PostgresError
        where error.kind == .cutOff && error.message != PostgresError.unanswered
      {
        try await server.connectIfNeeded()
        return try await body(server)
      }
    }
  }

  /// Runs `body` with a connection, after all earlier callers.
  func inTurn<Result: Sendable>(
    _ body: @Sendable (isolated PostgresServer) async throws -> Result
  ) async throws -> Result {
    let before = rounds
    await takeTurn()
    defer { endTurn() }
    // Another has tried while this one waited. What began before it came says nothing of now, but
    // for silence up to now.
    if connection == nil, let failure = rounds.failure,
      rounds.begun > before.begun || rounds.ended > before.ended && failure.isSilence
    {
      throw failure
    }
    try await connectIfNeeded()
    let result: Result
    do {
      result = try await body(self)
    } catch {
      announceRest()
      throw error
    }
    announceRest()
    return result
  }

  private func takeTurn() async {
    guard isTaken else { return isTaken = true }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func endTurn() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }

  var isContended: Bool { !waiting.isEmpty }

  /// Sends commands as one transaction, or as parts of the open one; returns the rows of each.
  ///
  /// - Parameter sendMore: sends what is to follow without waiting for the answer.
  func run(
    _ commands: [PostgresConnection.Command], sendMore: () -> Void = {}
  ) async throws -> [PostgresRows] {
    guard let connection else { throw cutOff ?? PostgresError(.cutOff, "it is not connected") }
    var commands = commands
    // Behind a pooler the session has been others', and will be.
    let place = isPooled ? commands[0].placeOfSettings : nil
    if let place {
      commands.insert(.init(PostgresSchema.settings(forTransaction: true)), at: place)
    }
    do {
      roundTripCount += 1
      var results = try await withCheckedThrowingContinuation { continuation in
        connection.send(commands) { continuation.resume(with: $0) }
        sendMore()
      }
      if let place { results.remove(at: place) }
      return results
    } catch let error as PostgresError where error.kind == .cutOff {
      // The caller's next operation must not use the lost connection again.
      connection.end(error)
      lost(error, connection)
      throw error
    }
  }

  func run(_ sql: String, _ values: PostgresValue...) async throws -> PostgresRows {
    try await run([.init(sql, values: values)])[0]
  }

  /// Runs one command that the server keeps for the next time.
  func run(prepared sql: String, _ values: PostgresValue...) async throws -> PostgresRows {
    try await run([.init(prepared: sql, values: values)])[0]
  }

  // MARK: Connecting

  var isConnected: Bool { connection != nil }

  func connectIfNeeded() async throws {
    guard connection == nil else { return }
    do {
      try await connect()
    } catch {
      lose(error as? PostgresError ?? PostgresError(.cutOff, "\(error)"))
      throw error
    }
  }

  private func connect() async throws {
    rounds.begun += 1
    defer { rounds.ended += 1 }
    do {
      try await connectToHost()
      rounds.failure = nil
    } catch {
      rounds.failure = error as? PostgresError
      throw error
    }
  }

  /// Connects to the first host that answers and takes writes, or to the first that answers if none
  /// takes writes, and prepares the session.
  private func connectToHost() async throws {
    var failure = PostgresError(.cutOff, "there is no host in the address")
    let attempts = address.attempts
    var readable: [PostgresAddress.Attempt] = []
    for attempt in attempts {
      do {
        if try await prepare(connect(by: attempt), toRead: attempts.count == 1) { return }
        readable.append(attempt)
      } catch let error as PostgresError {
        connection = nil
        failure = error
        // Another host will not know a better password.
        guard error.kind == .cutOff else { throw error }
      }
    }
    for attempt in readable where try await prepare(connect(by: attempt), toRead: true) { return }
    throw failure
  }

  /// Connects again if nothing could be written so far: a standby may have been promoted, or a
  /// right granted.
  ///
  /// - Throws: ``PostgresError`` if nothing can be written still.
  /// - Parameter again: whether the server has just refused to write.
  func requireWriting(again: Bool = false) async throws {
    guard library.readOnly != nil || again else { return }
    connection?.onLoss = nil
    connection?.end(PostgresError(.cutOff, "the program closed it"))
    connection = nil
    try await connectIfNeeded()
    guard let reason = library.readOnly else { return }
    throw PostgresError(.readOnly, reason.words, place: connection?.place ?? "")
  }

  /// Connects again within the turn of a caller that must know what the server has.
  ///
  /// - Throws: ``PostgresError`` if that fails for ten seconds.
  func reconnectInTurn() async throws {
    let end = ContinuousClock.now + .seconds(10)
    while true {
      do {
        if connection == nil { try await connect() }
        return try await requireWriting()
      } catch {
        guard ContinuousClock.now < end else { throw error }
        try await Task.sleep(for: .milliseconds(Self.pauses.first))
      }
    }
  }

  private func connect(by attempt: PostgresAddress.Attempt) async throws -> PostgresConnection {
    let (address, library, queue) = (address, functions, queue.dispatch)
    attemptCount += 1
    // libpq's socket must not get the number of a closed output.
    Descriptors.occupyStandard()
    return try await withCheckedThrowingContinuation { continuation in
      PostgresConnection.connect(
        to: address, by: attempt, library: library, on: queue, within: Self.attemptLimit
      ) { continuation.resume(with: $0) }
    }
  }

  /// Changes how long the server may be silent while it works.
  func limitSilence(to limit: Duration) {
    silenceLimit = limit
    connection?.silenceLimit = limit
  }

  /// Prepares a session.
  ///
  /// - Returns: false if its host takes no writes, and is not wanted to read alone.
  private func prepare(_ new: PostgresConnection, toRead: Bool) async throws -> Bool {
    connection = new
    client = nil
    let silenceLimit = silenceLimit ?? PostgresConnection.longestSilence
    new.silenceLimit = min(Self.attemptLimit, silenceLimit)
    new.onNotification = { [weak self] notification in
      // The followers of this process learn of its own commits without a notification.
      guard !notification.isOwn else { return }
      Task { await self?.heard(notification.channel) }
    }
    new.onLoss = { [weak self, weak new] error in
      Task { await self?.lost(error, new) }
    }
    do {
      isPooled = false
      let session = try await run("SELECT pg_catalog.pg_backend_pid()::pg_catalog.int8")
        .integer(0, 0)
      new.silenceLimit = silenceLimit
      isPooled = session != new.sessionNumber
      new.keepsStatements = !isPooled
      library = try await PostgresSchema.prepare(self)
      guard toRead || library.readOnly == nil else {
        new.onLoss = nil
        new.end(PostgresError(.cutOff, "the program closed it"))
        connection = nil
        return false
      }
      connectionCount += 1
      // Another server may have other numbers.
      namespaces = [:]
      // Before any reading: later writes are announced.
      listening = []
      for name in following.withLock({ Array($0.keys) }) {
        try await listen(try await namespace(name))
      }
    } catch {
      new.onLoss = nil
      new.end(error as? PostgresError ?? PostgresError(.cutOff, "\(error)"))
      connection = nil
      throw error
    }
    let wasCutOff = cutOff != nil
    cutOff = nil
    reconnecting?.cancel()
    reconnecting = nil
    if wasCutOff { notifyAll { $0.tell(.connected) } }
    tidyOnce()
    return true
  }

  /// Deletes what is no longer needed, once for each process that runs for a while.
  private func tidyOnce() {
    // The one for pictures does not know which of them this process shows.
    guard pictures != nil, !hasTidied, library.readOnly == nil else { return }
    hasTidied = true
    Task { [weak self] in
      // Not before the first screen; canceled, it is done by the next process.
      try? await Task.sleep(for: Self.tidyingDelay)
      // On failure, the next process does it.
      try? await self?.tidy()
    }
  }

  private func lost(_ error: PostgresError, _ former: PostgresConnection?) {
    guard let former, connection === former else { return }
    lose(error)
  }

  private func lose(_ error: PostgresError) {
    connection = nil
    client = nil
    listening = []
    cutOff = error
    // Again, too: a follower may have come since.
    notifyAll { $0.tell(.cutOff(reason: error.description)) }
    reconnect()
  }

  /// Tries to connect until it succeeds or no follower is left.
  private func reconnect() {
    guard reconnecting == nil, hasFollowers else { return }
    reconnecting = Task { [weak self] in
      var pause = Self.pauses.first
      while !Task.isCancelled {
        // A canceled pause ends the loop.
        try? await Task.sleep(for: .milliseconds(pause + Int.random(in: 0...pause)))
        guard !Task.isCancelled, let self, await self.tryAgain() else { return }
        pause = min(pause * 2, Self.pauses.last)
      }
    }
  }

  /// Tries to connect once; returns whether to try again.
  private func tryAgain() async -> Bool {
    guard connection == nil, hasFollowers else {
      reconnecting = nil
      return false
    }
    await takeTurn()
    defer { endTurn() }
    guard connection == nil else { return false }
    do {
      try await connect()
      return false
    } catch {
      return true
    }
  }

  // MARK: Namespaces

  /// The number of a namespace that does not exist.
  static let noNamespace: Int64 = -1

  /// The number of a namespace, which is created if there is none; call it in a turn.
  func namespace(_ name: String) async throws -> Int64 {
    try await namespace(Name(name))
  }

  private func namespace(_ name: Name) async throws -> Int64 {
    if let known = namespaces[name] { return known }
    let select = PostgresConnection.Command(
      "SELECT id FROM pantry.namespace WHERE name = $1", .text(name.text))
    var rows = try await run([select])[0]
    if rows.count == 0 {
      // It is empty, for those who may only read.
      guard library.readOnly == nil else { return Self.noNamespace }
      rows = try await run([
        .init(
          "INSERT INTO pantry.namespace (name) VALUES ($1) ON CONFLICT (name) DO NOTHING",
          .text(name.text)),
        select,
      ])[1]
    }
    let number = rows.integer(0, 0)
    namespaces[name] = number
    return number
  }
}
