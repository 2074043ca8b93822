internal import FoundationEssentials

/// One namespace on one connection: the statements that an engine runs.
///
/// Not Sendable: its connection owns it. No statement's text or number of variables depends on how
/// many keys there are.
final class SQLiteSession {
  let database: Database
  /// The number of the namespace: another process may call it something else by now.
  let namespace: Int64

  init(_ database: Database, namespace: SQLiteNamespace) throws {
    try namespace.requireName()
    self.database = database
    self.namespace = try namespace.id(in: database)
  }

  /// Notes that the rows are those of a store of `type`.
  func claim(_ name: SQLiteNamespace, for type: TypeName) throws {
    try name.claim(namespace, for: type, in: database)
  }

  /// The statements that have been run.
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

  /// Reads all rows in insertion order.
  func allRows() throws -> [StorageRow] { try page(after: .min, limit: .max) }

  /// The position of the row under `key`, which is its number.
  func position(of key: CacheKey) throws -> Int64? {
    let statement = try database.statement("SELECT id FROM item WHERE namespace = ?1 AND key = ?2")
    defer { statement.reset() }
    try statement.bind(.integer(namespace), .text(key.rawValue))
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Reads at most `limit` rows after a position, in insertion order.
  func page(after position: Int64, limit: Int) throws -> [StorageRow] {
    let statement = try database.statement(
      "SELECT key, data, id FROM item WHERE namespace = ?1 AND id > ?2 ORDER BY id LIMIT ?3")
    defer { statement.reset() }
    try statement.bind(.integer(namespace), .integer(position), .integer(Int64(limit)))
    var rows: [StorageRow] = []
    while try statement.step() {
      rows.append(
        StorageRow(
          key: CacheKey(verbatim: statement.text(0)), data: statement.data(1),
          position: Int(statement.integer(2))))
    }
    return rows
  }

  /// Reads the last `limit` rows in insertion order; the index finds them, whatever is before them.
  func newestDataAndKeys(limit: Int) throws -> [(key: CacheKey, data: Data)] {
    let statement = try database.statement(
      "SELECT key, data FROM item WHERE namespace = ?1 ORDER BY id DESC LIMIT ?2")
    defer { statement.reset() }
    try statement.bind(.integer(namespace), .integer(Int64(limit)))
    var rows: [(key: CacheKey, data: Data)] = []
    while try statement.step() {
      rows.append((CacheKey(verbatim: statement.text(0)), statement.data(1)))
    }
    return rows.reversed()
  }

  func allKeys() throws -> [CacheKey] {
    let statement = try database.statement(
      "SELECT key FROM item WHERE namespace = ?1 ORDER BY id")
    defer { statement.reset() }
    try statement.bind(.integer(namespace))
    var keys: [CacheKey] = []
    while try statement.step() { keys.append(CacheKey(verbatim: statement.text(0))) }
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

  func hasAttachment(_ digest: ContentDigest) throws -> Bool {
    try attachmentID(digest) != nil
  }

  /// Tells whether any item in the file refers to an attachment.
  func hasReferences() throws -> Bool {
    try database.integer("SELECT 1 FROM reference LIMIT 1") != nil
  }

  // MARK: Following

  /// The number of the last change in the file; call it in a transaction with what it belongs to.
  func newestChange() throws -> Int64 { try database.newestChange() }

  /// Reads what has changed in the namespace since `change`, in a transaction of the caller's.
  ///
  /// - Parameter change: nil reads everything.
  func update(since change: Int64?) throws -> StorageUpdate {
    // A number that was never given out here belongs to another file.
    guard let change, try newestChange() >= change else {
      return StorageUpdate(rows: try allRows(), isEverything: true)
    }
    // The plus keeps SQLite from taking the index that begins with the namespace: what is new is
    // found by its number, however long the list is.
    let statement = try database.statement(
      """
      SELECT change.key, item.data, item.id FROM change
      LEFT JOIN item ON item.namespace = change.namespace AND item.key = change.key
      WHERE change.seq > ?1 AND +change.namespace = ?2
      """)
    defer { statement.reset() }
    try statement.bind(.integer(change), .integer(namespace))
    var update = StorageUpdate()
    while try statement.step() {
      let key = CacheKey(verbatim: statement.text(0))
      if statement.isNull(2) {
        update.removed.append(key)
      } else {
        update.rows.append(
          StorageRow(key: key, data: statement.data(1), position: Int(statement.integer(2))))
      }
    }
    update.rows.sort { $0.position < $1.position }
    return update
  }

  // MARK: Writing

  /// Applies `changes` in a transaction of the caller's.
  ///
  /// - Parameter attachments: those of all writes, as ``pin(_:bytes:)`` returns them.
  /// - Returns: for each change, the position of the row that it inserted.
  func apply(
    _ changes: [StorageChange], attachments: [ContentDigest: Int64], at time: Date
  ) throws -> [Int?] {
    var positions: [Int?] = []
    positions.reserveCapacity(changes.count)
    var mayHaveReferences = try hasReferences()
    for change in changes {
      switch change {
      case .write(let data, let key, let refersTo):
        positions.append(try write(data, key: key, at: time))
        if mayHaveReferences || !refersTo.isEmpty {
          mayHaveReferences = true
          try refer(position(of: key) ?? 0, to: refersTo.compactMap { attachments[$0.digest] })
        }
      case .remove(let key):
        try database.statement("DELETE FROM item WHERE namespace = ?1 AND key = ?2")
          .run(.integer(namespace), .text(key.rawValue))
        positions.append(nil)
      case .removeAll:
        try database.statement("DELETE FROM item WHERE namespace = ?1").run(.integer(namespace))
        positions.append(nil)
      }
    }
    return positions
  }

  /// Writes a row; returns its position if it is new.
  // Neither RETURNING nor ON CONFLICT DO UPDATE, and OR FAIL: with the former, or with the default OR
  // ABORT and triggers, every row has a statement journal, which copies each page that it touches to
  // a temporary file (67,000 writes for 10,000 rows; sqlite.org/tempfiles.html#stmtjrnl). What fails
  // rolls the whole transaction back in any case.
  private func write(_ data: Data, key: CacheKey, at time: Date) throws -> Int? {
    let values: [Statement.Value] = [
      .integer(namespace), .text(key.rawValue), .readable(data), .real(time.timeIntervalSince1970),
    ]
    let insert = try database.statement(
      """
      INSERT OR FAIL INTO item (namespace, key, data, createdAt, updatedAt)
      VALUES (?1, ?2, ?3, ?4, ?4)
      """)
    // What the triggers insert does not count.
    if try insert.runUnlessTaken(values) { return Int(database.lastInsertedRow) }
    try database.statement(
      "UPDATE OR FAIL item SET data = ?3, updatedAt = ?4 WHERE namespace = ?1 AND key = ?2"
    ).run(values)
    return nil
  }

  /// Makes `attachments` exactly what `item` refers to.
  private func refer(_ item: Int64, to attachments: [Int64]) throws {
    for attachment in attachments {
      try database.statement("INSERT OR IGNORE INTO reference (item, attachment) VALUES (?1, ?2)")
        .run(.integer(item), .integer(attachment))
    }
    let select = try database.statement("SELECT attachment FROM reference WHERE item = ?1")
    var former: [Int64] = []
    try select.bind(.integer(item))
    while try select.step() { former.append(select.integer(0)) }
    select.reset()
    for attachment in former where !attachments.contains(attachment) {
      try database.statement("DELETE FROM reference WHERE item = ?1 AND attachment = ?2")
        .run(.integer(item), .integer(attachment))
    }
  }

  /// Stores the attachments of all writes and pins each with a reference of no item.
  ///
  /// The pin keeps bytes in place when the only other reference goes before the new one comes, in
  /// whatever namespace.
  func pin(_ changes: [StorageChange], bytes: [ContentDigest: Data]) throws
    -> [ContentDigest: Int64]
  {
    var stored: [ContentDigest: Int64] = [:]
    for case .write(_, _, let attachments) in changes {
      for attachment in attachments where stored[attachment.digest] == nil {
        let digest = attachment.digest
        let id: Int64
        if let existing = try attachmentID(digest) {
          id = existing
        } else if let data = bytes[digest] {
          id = try insertAttachment(digest, data)
        } else {
          // Another process freed it between our look and our lock.
          throw StorageError.attachmentMissing(digest)
        }
        stored[digest] = id
        try database.statement("INSERT OR IGNORE INTO reference (item, attachment) VALUES (?1, ?2)")
          .run(.integer(Self.pin), .integer(id))
      }
    }
    return stored
  }

  /// Takes the pins away again, once all changes have been applied.
  func unpin(_ attachments: some Sequence<Int64>) throws {
    for attachment in attachments {
      try database.statement("DELETE FROM reference WHERE item = ?1 AND attachment = ?2")
        .run(.integer(Self.pin), .integer(attachment))
    }
  }

  private func insertAttachment(_ digest: ContentDigest, _ data: Data) throws -> Int64 {
    try database.statement("INSERT INTO attachment (digest, byteCount, bytes) VALUES (?1, ?2, ?3)")
      .run(.blob(Data(digest.bytes)), .integer(Int64(data.count)), .blob(data))
    guard let id = try attachmentID(digest) else { throw StorageError.attachmentMissing(digest) }
    return id
  }

  private func attachmentID(_ digest: ContentDigest) throws -> Int64? {
    let statement = try database.statement("SELECT id FROM attachment WHERE digest = ?1")
    defer { statement.reset() }
    try statement.bind(.blob(Data(digest.bytes)))
    return try statement.step() ? statement.integer(0) : nil
  }

  /// No item has this number: SQLite gives out 1 and up.
  private static let pin: Int64 = 0
}

extension Database {
  /// The number of the last change in a Pantry file.
  func newestChange() throws -> Int64 {
    try integer("SELECT seq FROM sqlite_sequence WHERE name = 'change'") ?? 0
  }
}
