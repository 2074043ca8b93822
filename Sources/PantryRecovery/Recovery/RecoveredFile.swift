internal import FoundationEssentials

/// A new file with the rows that were found, before it replaces the damaged one.
final class RecoveredFile {
  private let database: Database
  private var numbers: Set<Int64> = []
  private(set) var names: Set<RowName> = []
  /// The largest row number of each namespace.
  private var newest: [Int64: Int64] = [:]
  /// The attachments whose bytes are not here yet, with their numbers.
  private(set) var missing: [ContentDigest: Int64] = [:]
  private var attachments: [ContentDigest: Int64] = [:]

  /// Writes a new file at `path`, which is empty.
  ///
  /// The caller flushes it, or discards it.
  static func write(at path: String, _ body: (RecoveredFile) throws -> Void) throws {
    let database = try Database(path: path)
    try database.execute(
      "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    try database.configure(.triggers, false)
    try database.write {
      try SQLiteSchema.createTables(in: database)
      try body(RecoveredFile(database))
    }
  }

  private init(_ database: Database) {
    self.database = database
  }

  /// Adds a row, unless its key is there already; it keeps its number if it can.
  func add(_ row: SalvagedRow, references: Set<SalvagedReference>) throws {
    guard !names.contains(row.name) else { return }
    let number = number(for: row)
    try database.statement(
      """
      INSERT INTO item (id, namespace, key, data, createdAt, updatedAt)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """
    ).run(
      .integer(number), .integer(row.namespace), .text(String(decoding: row.key, as: UTF8.self)),
      .readable(row.data),
      .real(row.created), .real(row.updated))
    names.insert(row.name)
    numbers.insert(number)
    newest[row.namespace] = max(newest[row.namespace] ?? 0, number)
    for reference in references {
      try database.statement("INSERT INTO item_attachment (item, attachment) VALUES (?1, ?2)")
        .run(.integer(number), .integer(attachment(reference)))
    }
  }

  /// Gives a row another key, which no other has.
  func rename(_ former: RowName, to name: RowName) throws {
    try database.statement(
      "UPDATE item SET namespace = ?3, key = ?4 WHERE namespace = ?1 AND key = ?2"
    ).run(
      .integer(former.namespace), .text(String(decoding: former.key, as: UTF8.self)),
      .integer(name.namespace), .text(String(decoding: name.key, as: UTF8.self)))
    names.remove(former)
    names.insert(name)
  }

  func fill(_ digest: ContentDigest, _ bytes: Data) throws {
    guard let number = missing.removeValue(forKey: digest) else { return }
    try database.statement("UPDATE attachment SET bytes = ?2, byteCount = ?3 WHERE id = ?1")
      .run(.integer(number), .blob(bytes), .integer(Int64(bytes.count)))
  }

  /// Names the namespaces; call it at the end.
  func name(_ namespaces: [Int64: SalvagedNamespace]) throws {
    for (number, namespace) in namespaces {
      try database.statement(
        "INSERT INTO namespace (id, name, type, lastItem, record) VALUES (?1, ?2, ?3, ?4, ?5)"
      ).run(
        .integer(number), .text(namespace.name), namespace.type.map { .text($0) } ?? .null,
        // A number outside the range would make the next row's invalid.
        .integer(
          SQLiteSchema.rowNumbers(of: number).contains(namespace.lastItem)
            ? namespace.lastItem : 0),
        namespace.record.map { .readable($0) } ?? .null)
    }
  }

  /// The numbers of the namespaces with rows.
  var namespaces: Set<Int64> { Set(newest.keys) }

  /// Returns the row's own number, that of the same order in its namespace's range, or a new one.
  private func number(for row: SalvagedRow) -> Int64 {
    let range = SQLiteSchema.rowNumbers(of: row.namespace)
    if row.number > range.lowerBound, row.number < range.upperBound, !numbers.contains(row.number) {
      return row.number
    }
    return max(newest[row.namespace] ?? 0, range.lowerBound) + 1
  }

  /// The number of an attachment, which is added without bytes.
  private func attachment(_ reference: SalvagedReference) throws -> Int64 {
    if let known = attachments[reference.digest] { return known }
    try database.statement("INSERT INTO attachment (digest, byteCount, bytes) VALUES (?1, ?2, x'')")
      .run(.blob(Data(reference.digest.bytes)), .integer(Int64(reference.byteCount)))
    let number = database.lastInsertedRow
    attachments[reference.digest] = number
    missing[reference.digest] = number
    return number
  }
}
