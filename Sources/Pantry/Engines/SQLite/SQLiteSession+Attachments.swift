internal import FoundationEssentials

extension SQLiteSession {
  func hasAttachment(_ digest: ContentDigest) throws -> Bool {
    try attachmentID(digest) != nil
  }

  /// Stores the attachments of all writes, in the caller's transaction.
  ///
  /// - Returns: the row numbers of the attachments.
  func store(_ changes: [StorageChange], bytes: [ContentDigest: Data]) throws
    -> [ContentDigest: Int64]
  {
    var stored: [ContentDigest: Int64] = [:]
    for case .write(_, _, let attachments) in changes {
      for attachment in attachments where stored[attachment.digest] == nil {
        let digest = attachment.digest
        if let existing = try attachmentID(digest) {
          stored[digest] = existing
          if let data = bytes[digest] { try fill(existing, data) }
        } else if let data = bytes[digest] {
          stored[digest] = try insertAttachment(digest, data)
        } else {
          // Another process has swept it between the check and the lock.
          throw StorageError.attachmentMissing(digest)
        }
      }
    }
    return stored
  }

  /// Sets the references of `item` to exactly `attachments`.
  ///
  /// - Parameter isNew: whether it has none so far.
  func refer(
    _ item: Int64, isNew: Bool = false, to attachments: Set<Int64>,
    recording references: inout ReferenceChanges
  ) throws {
    var former: Set<Int64> = []
    if !isNew {
      let select = try database.statement("SELECT attachment FROM item_attachment WHERE item = ?1")
      try select.bind(.integer(item))
      while try select.step() { former.insert(select.integer(0)) }
      select.reset()
    }
    for attachment in attachments.subtracting(former) {
      try database.statement("INSERT INTO item_attachment (item, attachment) VALUES (?1, ?2)")
        .run(.integer(item), .integer(attachment))
    }
    for attachment in attachments { references.set(to: attachment, by: item) }
    for attachment in former.subtracting(attachments) {
      try database.statement("DELETE FROM item_attachment WHERE item = ?1 AND attachment = ?2")
        .run(.integer(item), .integer(attachment))
      references.dropped(to: attachment, by: item)
    }
  }

  /// Removes the references of all rows of the namespace.
  func dropReferences(recording references: inout ReferenceChanges) throws {
    let select = try database.statement(
      "SELECT item, attachment FROM item_attachment WHERE item > ?1 AND item < ?2")
    try select.bind(.integer(numbers.lowerBound), .integer(numbers.upperBound))
    while try select.step() { references.dropped(to: select.integer(1), by: select.integer(0)) }
    select.reset()
    try database.statement("DELETE FROM item_attachment WHERE item > ?1 AND item < ?2")
      .run(.integer(numbers.lowerBound), .integer(numbers.upperBound))
  }

  /// Gives an attachment its bytes back if they were lost: a recovered row refers to none.
  private func fill(_ attachment: Int64, _ data: Data) throws {
    try database.statement(
      "UPDATE attachment SET bytes = ?2, byteCount = ?3 WHERE id = ?1 AND length(bytes) = 0"
    ).run(.integer(attachment), .blob(data), .integer(Int64(data.count)))
  }

  private func insertAttachment(_ digest: ContentDigest, _ data: Data) throws -> Int64 {
    try database.statement("INSERT INTO attachment (digest, byteCount, bytes) VALUES (?1, ?2, ?3)")
      .run(.blob(Data(digest.bytes)), .integer(Int64(data.count)), .blob(data))
    return database.lastInsertedRow
  }

  private func attachmentID(_ digest: ContentDigest) throws -> Int64? {
    let statement = try database.statement("SELECT id FROM attachment WHERE digest = ?1")
    defer { statement.reset() }
    try statement.bind(.blob(Data(digest.bytes)))
    return try statement.step() ? statement.integer(0) : nil
  }
}

extension Database {
  /// Records the unreferenced ones of `attachments`, in the caller's transaction.
  func noteUnreferenced(_ attachments: Set<Int64>) throws {
    for attachment in attachments {
      try statement(
        """
        INSERT OR IGNORE INTO unreferenced (attachment) SELECT ?1
        WHERE NOT EXISTS (SELECT 1 FROM item_attachment WHERE attachment = ?1)
        """
      ).run(.integer(attachment))
    }
  }

  /// Frees the bytes of at most `limit` attachments that no row refers to.
  ///
  /// - Parameter isHeld: whether a value still needs the bytes of a digest.
  /// - Returns: whether there may be more to free.
  func sweepAttachments(limit: Int, unless isHeld: (ContentDigest) -> Bool) throws -> Bool {
    let select = try statement(
      """
      SELECT unreferenced.attachment, digest,
        EXISTS (SELECT 1 FROM item_attachment WHERE attachment = unreferenced.attachment)
      FROM unreferenced LEFT JOIN attachment ON attachment.id = unreferenced.attachment
      """)
    var freed: [Int64] = []
    var done: [Int64] = []
    while done.count < limit, try select.step() {
      let number = select.integer(0)
      let digest = ContentDigest(bytes: select.data(1))
      guard select.integer(2) == 0, let digest else {
        done.append(number)
        continue
      }
      guard !isHeld(digest) else { continue }
      done.append(number)
      freed.append(number)
    }
    select.reset()
    for number in freed {
      try statement("DELETE FROM attachment WHERE id = ?1").run(.integer(number))
    }
    for number in done {
      try statement("DELETE FROM unreferenced WHERE attachment = ?1").run(.integer(number))
    }
    return done.count == limit
  }
}
