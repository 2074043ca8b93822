internal import Dispatch
public import FoundationEssentials
public import Pantry

/// An engine on a PostgreSQL database: the same items on many machines, live.
///
/// Once a call returns, the server has committed its changes. Engines on one database with the same
/// namespace share items, on any machine. The tables are in the schema `pantry`, which the first
/// engine creates; its role needs the right to create it, or a schema that exists.
///
/// The address is what libpq takes: `postgresql://user@host/database`, several hosts among them.
/// Passwords belong into libpq's own places (a password file, a service file, the environment), not
/// into the address. Over a network, use `sslmode=verify-full`: see ``isUnverified``. Where a
/// password may be sent to another machine, and the address does not say how, the connection is
/// encrypted or refused (`sslmode=require`).
///
/// Behind a pooler, such as PgBouncer, changes of others are looked for every two seconds:
/// ``isPolled``.
///
/// Any call can throw ``PostgresError``. All engines of a process on one address share a
/// connection, and another one for attachments; on each, calls run one after another. Nothing
/// blocks a thread.
public actor PostgresStorageEngine: StorageEngine {
  /// The key space within the database.
  public nonisolated let namespace: String

  nonisolated let server: PostgresServer
  nonisolated let copies: (any PostgresCopies)?

  /// The queue that the engines of the address run on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { server.unownedExecutor }

  /// Creates an engine; nothing is connected before its first call.
  ///
  /// - Parameters:
  ///   - address: a connection URI or string of libpq.
  ///   - namespace: the key space within the database.
  ///   - copies: keeps bytes and the newest rows on this machine; nil keeps none.
  /// - Throws: ``PostgresError`` if libpq is missing, or cannot read the address.
  public init(
    _ address: String, namespace: String, copies: (any PostgresCopies)? = nil
  ) throws {
    self.init(on: try PostgresServer.shared(address), namespace: namespace, copies: copies)
  }

  private init(on server: PostgresServer, namespace: String, copies: (any PostgresCopies)?) {
    self.server = server
    self.namespace = namespace
    self.copies = copies
  }

  /// Returns the engine of another key space in the same database, on the same connection.
  public nonisolated func engine(namespace: String) -> PostgresStorageEngine {
    PostgresStorageEngine(on: server, namespace: namespace, copies: copies)
  }

  /// Changes how long the server may be silent while it works, for the tests: a minute otherwise.
  package func limitSilence(to limit: Duration) async {
    await server.limitSilence(to: limit)
    await server.forPictures.limitSilence(to: limit)
  }

  /// The number of attempts to connect so far, for the tests.
  package var attemptCount: Int { get async { await server.attemptCount } }

  /// Whether a connection pooler is between, so that the changes of others show within two seconds
  /// instead of at once; false before the first connection.
  public var isPolled: Bool { get async { await server.isPooled } }

  /// Whether a host of the address is another machine whose certificate is not checked
  /// (`sslmode=verify-full`): a third party could read the traffic, or pose as the server.
  public nonisolated var isUnverified: Bool {
    server.address.attempts.contains(where: server.address.isUnverified)
  }

  // MARK: Reading

  /// Reads the data of `key`, or throws ``PostgresError``.
  public func read(key: CacheKey) async throws -> Data? {
    try await readDataAndKeys(keys: [key]).first?.data
  }

  /// Reads many, or throws ``PostgresError``.
  ///
  /// - Throws: ``PostgresError/Kind/tooLarge`` for a row of more than 16 MB, as every reading does.
  public func readDataAndKeys(keys: [CacheKey]) async throws -> [(key: CacheKey, data: Data)] {
    let rows = try await rows(limit: .max, of: Set(keys).map(\.digest))
    let found = Dictionary(rows.map { ($0.key, $0.data) }, uniquingKeysWith: { $1 })
    return keys.compactMap { key in found[key].map { (key, $0) } }
  }

  /// Reads everything, or throws ``PostgresError``.
  public func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)] {
    try await rows(limit: .max)
  }

  /// Reads a page, or throws ``PostgresError``.
  public func readDataAndKeys(
    after key: CacheKey?, limit: Int
  ) async throws -> [(key: CacheKey, data: Data)] {
    guard limit > 0 else { return [] }
    guard let key else { return try await rows(limit: limit) }
    let place = try await query(
      "SELECT id FROM pantry.item WHERE namespace = $1 AND digest = $2", .bytes(key.digest))
    guard place.count > 0 else { return [] }
    return try await rows(after: place.integer(0, 0), limit: limit)
  }

  private func rows(
    after position: Int64 = 0, limit: Int, of digests: [Data]? = nil
  ) async throws -> [(key: CacheKey, data: Data)] {
    let reading = try await server.reading { [namespace] server in
      let number = try await server.namespace(namespace)
      return try await server.page(in: number, after: position, limit: limit, of: digests)
    }
    return try reading.update.rows.map { row in
      if let reason = row.reason { throw PostgresError(.tooLarge, reason) }
      return (row.key, row.data)
    }
  }

  /// Returns whether `key` exists, or throws ``PostgresError``.
  public func keyExists(_ key: CacheKey) async throws -> Bool {
    try await !keysExist([key]).isEmpty
  }

  /// Returns the existing ones of `keys` by one query, or throws ``PostgresError``.
  public func keysExist(_ keys: [CacheKey]) async throws -> [CacheKey] {
    let rows = try await query(
      "SELECT key FROM pantry.item WHERE namespace = $1 AND digest = ANY ($2)",
      .bytesArray(Set(keys).map(\.digest)))
    let existing = Set((0..<rows.count).map { rows.key($0, 0) })
    return keys.filter(existing.contains)
  }

  /// Returns the number of keys, or throws ``PostgresError``.
  public func keyCount() async throws -> Int {
    Int(
      try await query("SELECT count(*) FROM pantry.item WHERE namespace = $1").integer(0, 0))
  }

  /// Returns every key in insertion order, or throws ``PostgresError``.
  public func allKeys() async throws -> [CacheKey] {
    let rows = try await query("SELECT key FROM pantry.item WHERE namespace = $1 ORDER BY id")
    return (0..<rows.count).map { rows.key($0, 0) }
  }

  /// Returns the server's time at which `key` was first written, or throws ``PostgresError``.
  public func createdAt(key: CacheKey) async throws -> Date? {
    try await time("created", of: key)
  }

  /// Returns the server's time at which `key` was last written, or throws ``PostgresError``.
  public func updatedAt(key: CacheKey) async throws -> Date? {
    try await time("updated", of: key)
  }

  private func time(_ column: String, of key: CacheKey) async throws -> Date? {
    let rows = try await query(
      """
      SELECT (extract(epoch FROM \(column)) * 1000000)::bigint FROM pantry.item
      WHERE namespace = $1 AND digest = $2
      """, .bytes(key.digest))
    guard rows.count > 0 else { return nil }
    return Date(timeIntervalSince1970: Double(rows.integer(0, 0)) / 1_000_000)
  }

  private func query(_ sql: String, _ values: PostgresValue...) async throws -> PostgresRows {
    try await server.reading { [namespace] server in
      let number = try await server.namespace(namespace)
      return try await server.run([.init(sql, values: [.integer(number)] + values)])[0]
    }
  }

  // MARK: Writing

  /// Writes one row, or throws ``PostgresError``.
  public func write(_ data: Data, key: CacheKey) async throws {
    try await commit([.write(data, key: key)])
  }

  /// Removes one row, or throws ``PostgresError``.
  public func remove(key: CacheKey) async throws { try await commit([.remove(key: key)]) }

  /// Removes all rows of the namespace, or throws ``PostgresError``.
  public func removeAllData() async throws { try await commit([.removeAll]) }

  /// Applies changes as one transaction, or throws ``PostgresError``.
  public func commit(_ changes: [StorageChange]) async throws {
    guard !changes.isEmpty else { return }
    let change = NetChange(changes)
    _ = try await commit([
      PostgresCommit.Part(
        namespace: namespace, change: change, basis: .nothing, cursor: nil, follower: nil)
    ])
  }

  /// Stores the bytes of attachments and commits.
  ///
  /// A row too large to be read again is refused.
  func commit(_ parts: [PostgresCommit.Part]) async throws -> PostgresCommit.Outcome {
    for write in parts.flatMap(\.change.writes) {
      try Self.require(write.data.count, within: PostgresLimits.row, "the row")
      try Self.require(write.key.bytes.count, within: PostgresLimits.row, "the key of the row")
      for attachment in write.attachments {
        try Self.require(
          attachment.byteCount, within: PostgresLimits.attachment, "the attachment")
      }
    }
    var attempt = 1
    while true {
      do {
        for part in parts { try await store(attachmentsOf: part.change) }
        return try await PostgresCommit(parts).run(on: server)
      } catch let error as PostgresError where error.lacksAttachment && attempt < 3 {
        // The commit came to a standby that was promoted without the bytes.
        attempt += 1
      }
    }
  }
}

extension PostgresStorageEngine {
  private static func require(
    _ count: Int, within limit: Int, _ what: String
  ) throws(PostgresError) {
    guard count > limit else { return }
    throw PostgresError(.tooLarge, PostgresLimits.words(what, Int64(count), limit: limit))
  }
}

extension PostgresRows {
  func key(_ row: Int, _ column: Int) -> CacheKey { bytes(row, column, CacheKey.init(bytes:)) }
}
