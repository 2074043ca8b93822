internal import FoundationEssentials

/// Reads as much of a database as SQLite itself can, damaged or not.
final class ReadableTables {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// Reads the rows up to the first error; returns whether there was none.
  ///
  /// After an error it reads them once more without their times, which are the last columns: a
  /// wrong length in a row makes only the columns after it unreadable.
  func rows(_ body: (SalvagedRow) throws -> Void) throws -> Bool {
    if try rows(times: "createdAt, updatedAt", body) { return true }
    _ = try rows(times: "0, 0", body)
    return false
  }

  private func rows(times: String, _ body: (SalvagedRow) throws -> Void) throws -> Bool {
    try walk(
      // The types distinguish rows from the garbage of a damaged page.
      """
      SELECT id, namespace, key, data, \(times), typeof(data) = 'text' FROM item NOT INDEXED
      WHERE typeof(namespace) = 'integer' AND typeof(key) = 'text'
        AND typeof(data) IN ('text', 'blob')
      """
    ) { row in
      try body(
        SalvagedRow(
          namespace: row.integer(1), number: row.integer(0),
          key: Array(row.text(2).utf8), data: row.data(3),
          created: row.real(4), updated: row.real(5),
          isDamaged: row.integer(6) == 1 && !row.data(3).isReadableText))
    }
  }

  /// Reads the numbers of the rows from the index of their keys, up to the first error.
  func names() throws -> (found: [RowName: Int64], isComplete: Bool) {
    var found: [RowName: Int64] = [:]
    let isComplete = try walk(
      """
      SELECT namespace, key, id FROM item INDEXED BY sqlite_autoindex_item_1
      WHERE typeof(namespace) = 'integer' AND typeof(key) = 'text'
      """
    ) {
      found[RowName(namespace: $0.integer(0), key: Array($0.text(1).utf8))] = $0.integer(2)
    }
    return (found, isComplete)
  }

  /// Reads the last change of each row, and of all rows of each namespace, in the log of changes.
  func changes() throws -> [RowName: Int64] {
    var changes: [RowName: Int64] = [:]
    _ = try walk("SELECT namespace, key, seq FROM change WHERE typeof(key) IN ('text', 'null')") {
      let name =
        $0.isNull(1)
        ? .all(of: $0.integer(0))
        : RowName(namespace: $0.integer(0), key: Array($0.text(1).utf8))
      changes[name] = max(changes[name] ?? 0, $0.integer(2))
    }
    return changes
  }

  /// Reads the namespaces by their numbers; those that only the index has are without a type.
  ///
  /// - Parameter expected: which name is right if the table and its index differ; otherwise that of
  ///   the table.
  func namespaces(expecting expected: Set<String>) throws -> [Int64: SalvagedNamespace] {
    var found: [Int64: SalvagedNamespace] = [:]
    for source in ["NOT INDEXED", "INDEXED BY sqlite_autoindex_namespace_1"] {
      _ = try walk("SELECT id, name FROM namespace \(source) WHERE typeof(name) = 'text'") {
        let (number, name) = ($0.integer(0), $0.text(1))
        if found[number] == nil || expected.contains(name) {
          found[number] = SalvagedNamespace(name: name)
        }
      }
    }
    _ = try walk("SELECT id, type, lastItem FROM namespace NOT INDEXED") {
      found[$0.integer(0)]?.type = $0.isNull(1) ? nil : $0.text(1)
      found[$0.integer(0)]?.lastItem = $0.integer(2)
    }
    // A backup of version 0.2.0 lacks this column.
    _ = try walk("SELECT id, record FROM namespace NOT INDEXED WHERE record IS NOT NULL") {
      let record = $0.data(1)
      if NamespaceRecord.definition(in: record) != nil { found[$0.integer(0)]?.record = record }
    }
    return found
  }

  /// Reads which attachments each row refers to, by their numbers; nil if that is damaged.
  func references() throws -> [Int64: Set<Int64>]? {
    var found: [Int64: Set<Int64>] = [:]
    let isComplete = try walk("SELECT item, attachment FROM item_attachment") {
      found[$0.integer(0), default: []].insert($0.integer(1))
    }
    return isComplete ? found : nil
  }

  /// Reads the digests of the attachments by their numbers.
  func digests() throws -> [Int64: SalvagedReference] {
    var found: [Int64: SalvagedReference] = [:]
    _ = try walk("SELECT id, digest FROM attachment INDEXED BY sqlite_autoindex_attachment_1") {
      found[$0.integer(0)] = ContentDigest(bytes: $0.data(1)).map { SalvagedReference(digest: $0) }
    }
    _ = try walk("SELECT id, digest, byteCount FROM attachment NOT INDEXED") {
      guard let digest = ContentDigest(bytes: $0.data(1)) else { return }
      found[$0.integer(0)] = SalvagedReference(
        digest: digest, byteCount: max(1, Int(clamping: $0.integer(2))))
    }
    return found
  }

  /// Reads the bytes of the attachment with a number; nil if they are damaged.
  func bytes(ofAttachment number: Int64, _ digest: ContentDigest) throws -> Data? {
    var bytes: Data?
    _ = try walk("SELECT bytes FROM attachment WHERE id = ?1", .integer(number)) {
      bytes = $0.data(0)
    }
    return bytes.flatMap { ContentDigest(of: $0) == digest ? $0 : nil }
  }

  /// Steps through a query up to the first error; returns whether there was none.
  private func walk(
    _ sql: String, _ values: Statement.Value..., body: (Statement) throws -> Void
  ) throws -> Bool {
    do {
      let statement = try database.statement(sql)
      defer { statement.reset() }
      try statement.bind(values)
      while try statement.step() {
        do {
          try body(statement)
        } catch {
          throw CallerError(error: error)
        }
      }
      return true
    } catch let error as CallerError {
      throw error.error
    } catch let error as SQLiteError where error.kind != .busy {
      return false
    }
  }

  /// An error of the caller, which does not mean that the file is damaged.
  private struct CallerError: Error {
    let error: any Error
  }
}
