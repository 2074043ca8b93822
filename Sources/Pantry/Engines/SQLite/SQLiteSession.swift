internal import FoundationEssentials

/// One namespace on one connection: the statements that an engine runs.
///
/// Not Sendable: its connection owns it. No statement's text or number of variables depends on the
/// number of keys.
final class SQLiteSession {
  let database: Database
  /// The number of the namespace: another process may have renamed it.
  let namespace: Int64
  /// The range of its row numbers.
  let numbers: Range<Int64>

  /// - Parameter moved: called if rows of another namespace were adopted.
  init(_ database: Database, namespace: SQLiteNamespace, moved: () -> Void) throws {
    try namespace.requireName()
    try namespace.requireOwnDirectory(of: database)
    self.database = database
    self.namespace =
      try database.isReadOnly
      ? namespace.idForReading(in: database) : namespace.id(in: database, moved: moved)
    numbers = SQLiteSchema.rowNumbers(of: self.namespace)
  }

  var statementTexts: Set<String> { database.statementTexts }

  /// Runs `body` on one snapshot.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    try database.read(body)
  }

  // MARK: Reading

  func data(key: CacheKey) throws -> Data? {
    let statement = try database.statement(
      "SELECT data FROM item WHERE namespace = ?1 AND key = ?2")
    defer { statement.reset() }
    try statement.bind(.integer(namespace), .text(key.rawValue))
    return try statement.step() ? statement.data(0) : nil
  }

  /// Reads all rows in insertion order, in the caller's transaction.
  func allRows() throws -> [StorageRow] {
    let rows = try page(after: .min, limit: .max)
    try requireAll(rows.count)
    return rows
  }

  /// The position of the row under `key`, which is its number.
  func position(of key: CacheKey) throws -> Int64? {
    let statement = try database.statement("SELECT id FROM item WHERE namespace = ?1 AND key = ?2")
    defer { statement.reset() }
    try statement.bind(.integer(namespace), .text(key.rawValue))
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Reads at most `limit` rows after a position, in insertion order.
  func page(after position: Int64, limit: Int) throws -> [StorageRow] {
    try page(after: max(position, numbers.lowerBound), limit: limit, sortedBy: "id")
  }

  /// Reads the last `limit` rows in insertion order.
  func newestPage(limit: Int) throws -> [StorageRow] {
    try page(after: numbers.lowerBound, limit: limit, sortedBy: "id DESC").reversed()
  }

  /// Throws if the namespace has more or fewer rows than were read, because the file is damaged.
  ///
  /// The table and the index of its keys are apart, so that damage shows as a difference.
  func requireAll(_ count: Int) throws {
    if try keyCount() != count { try requireSoundRows() }
  }

  /// Throws if SQLite finds damage in the table of rows; for what was read and cannot be right.
  ///
  /// - Complexity: O(n) in the number of rows: 10,000 take 20 ms.
  private func requireSoundRows() throws {
    let problem = try database.firstProblem(ofTablesWhere: "t.name = 'item'")
    if let problem { throw database.damage(problem) }
  }

  private func page(
    after position: Int64, limit: Int, sortedBy order: String
  ) throws -> [StorageRow] {
    let statement = try database.statement(
      "SELECT key, data, id FROM item WHERE id > ?1 AND id < ?2 ORDER BY \(order) LIMIT ?3")
    defer { statement.reset() }
    try statement.bind(
      .integer(position), .integer(numbers.upperBound), .integer(Int64(limit)))
    var rows: [StorageRow] = []
    var isInOrder = true
    while try statement.step() {
      let number = Int(statement.integer(2))
      if let last = rows.last, order == "id" ? number <= last.position : number >= last.position {
        isInOrder = false
      }
      rows.append(
        StorageRow(
          key: CacheKey(verbatim: statement.text(0)), data: statement.data(1), position: number))
    }
    if let first = rows.first, first.position <= position { isInOrder = false }
    if !isInOrder { try requireSoundRows() }
    return rows
  }

  func allKeys() throws -> [CacheKey] {
    let statement = try database.statement(
      "SELECT key FROM item WHERE id > ?1 AND id < ?2 ORDER BY id")
    defer { statement.reset() }
    try statement.bind(.integer(numbers.lowerBound), .integer(numbers.upperBound))
    var keys: [CacheKey] = []
    while try statement.step() { keys.append(CacheKey(verbatim: statement.text(0))) }
    try requireAll(keys.count)
    return keys
  }

  func keyCount() throws -> Int {
    let statement = try database.statement("SELECT count(*) FROM item WHERE namespace = ?1")
    defer { statement.reset() }
    try statement.bind(.integer(namespace))
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  func times(key: CacheKey) throws -> (created: Date, updated: Date)? {
    let statement = try database.statement(
      "SELECT createdAt, updatedAt FROM item WHERE namespace = ?1 AND key = ?2")
    defer { statement.reset() }
    try statement.bind(.integer(namespace), .text(key.rawValue))
    guard try statement.step() else { return nil }
    return (
      Date(timeIntervalSince1970: statement.real(0)),
      Date(timeIntervalSince1970: statement.real(1))
    )
  }
}
