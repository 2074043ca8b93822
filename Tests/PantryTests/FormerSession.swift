import Foundation

@testable import Pantry

/// A session of version 0.1.0 on a file that it has open, with its statements, word for word.
final class FormerSession {
  let database: Database
  private let namespace: Int64

  init(_ database: Database, namespace name: String) throws {
    self.database = database
    try SQLiteSchema.configure(database)
    // 0.1.0 left the triggers on.
    try database.configure(.triggers, true)
    try database.execute(
      """
      CREATE TEMP TABLE freed (digest BLOB NOT NULL);
      CREATE TEMP TRIGGER attachment_freed AFTER DELETE ON main.attachment BEGIN
        INSERT INTO freed VALUES (OLD.digest);
      END;
      """)
    let select = try database.statement("SELECT id FROM namespace WHERE name = ?1")
    defer { select.reset() }
    try select.bind(.text(name))
    namespace = try select.step() ? select.integer(0) : 0
  }

  /// The number of the last change in the file.
  func newestChange() throws -> Int64 {
    try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'change'") ?? 0
  }

  func keys() throws -> [String] {
    let select = try database.statement(
      "SELECT key, data, id FROM item WHERE namespace = ?1 ORDER BY id")
    defer { select.reset() }
    try select.bind(.integer(namespace))
    var keys: [String] = []
    while try select.step() { keys.append(select.text(0)) }
    return keys
  }

  /// Commits like a store of that version.
  ///
  /// - Parameter change: the last change that a follower has read; nil if nobody follows.
  func commit(_ changes: [StorageChange], since change: Int64?) throws {
    try database.write {
      if let change, try newestChange() >= change {
        let update = try database.statement(
          """
          SELECT change.key, item.data, item.id FROM change
          LEFT JOIN item ON item.namespace = change.namespace AND item.key = change.key
          WHERE change.seq > ?1 AND +change.namespace = ?2
          """)
        defer { update.reset() }
        try update.bind(.integer(change), .integer(namespace))
        while try update.step() {}
      } else {
        _ = try keys()
      }
      try apply(changes)
      _ = try newestChange()
    }
  }

  private func apply(_ changes: [StorageChange]) throws {
    var mayHaveReferences = try database.integer("SELECT 1 FROM reference LIMIT 1") != nil
    var stored: [ContentDigest: Int64] = [:]
    for case .write(_, _, let attachments) in changes {
      for attachment in attachments { stored[attachment.digest] = try store(attachment) }
    }
    for change in changes {
      switch change {
      case .write(let data, let key, let refersTo):
        try write(data, key)
        if mayHaveReferences || !refersTo.isEmpty {
          mayHaveReferences = true
          try refer(number(of: key), to: refersTo.compactMap { stored[$0.digest] })
        }
      case .remove(let key):
        try database.statement("DELETE FROM item WHERE namespace = ?1 AND key = ?2")
          .run(.integer(namespace), .text(key.rawValue))
      case .removeAll:
        try database.statement("DELETE FROM item WHERE namespace = ?1").run(.integer(namespace))
      }
    }
    for attachment in stored.values {
      try database.statement("DELETE FROM reference WHERE item = ?1 AND attachment = ?2")
        .run(.integer(0), .integer(attachment))
    }
  }

  private func write(_ data: Data, _ key: CacheKey) throws {
    let values: [Statement.Value] = [
      .integer(namespace), .text(key.rawValue), .readable(data), .real(1),
    ]
    let insert = try database.statement(
      """
      INSERT OR FAIL INTO item (namespace, key, data, createdAt, updatedAt)
      VALUES (?1, ?2, ?3, ?4, ?4)
      """)
    if try insert.runUnlessTaken(values) { return }
    try database.statement(
      "UPDATE OR FAIL item SET data = ?3, updatedAt = ?4 WHERE namespace = ?1 AND key = ?2"
    ).run(values)
  }

  private func number(of key: CacheKey) throws -> Int64 {
    let select = try database.statement("SELECT id FROM item WHERE namespace = ?1 AND key = ?2")
    defer { select.reset() }
    try select.bind(.integer(namespace), .text(key.rawValue))
    return try select.step() ? select.integer(0) : 0
  }

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

  /// Stores the bytes, and pins them with a reference of no item.
  private func store(_ attachment: Attachment) throws -> Int64 {
    let bytes = Data(attachment.digest.bytes)
    try database.statement("INSERT INTO attachment (digest, byteCount, bytes) VALUES (?1, ?2, ?3)")
      .run(.blob(bytes), .integer(1), .blob(Data([0])))
    let number = database.lastInsertedRow
    try database.statement("INSERT OR IGNORE INTO reference (item, attachment) VALUES (?1, ?2)")
      .run(.integer(0), .integer(number))
    return number
  }
}
