internal import FoundationEssentials

/// One write transaction, in one or several namespaces of a file.
struct SQLiteTransaction {
  /// The part of the transaction in one namespace.
  struct Part {
    let session: SQLiteSession
    var changes: [StorageChange]
    /// The start of the changes of others to read; nil if they are not needed.
    var start: Start?
    var basis = ReadSet.nothing
    /// Judges the rows that are overwritten or removed; nil admits all.
    var rowGuard: RowGuard?
    /// Makes the changes anew if others have changed the basis; nil writes nothing then.
    var again: (@Sendable (StorageUpdate) throws -> [StorageChange])?

    /// What judges the rows, after these changes of others: nothing where the caller knows all.
    fileprivate func rowGuard(after update: StorageUpdate) -> RowGuard? {
      if case .cursor = start, rowGuard?.knowsAll == true, update.isEmpty { nil } else { rowGuard }
    }
  }

  /// The position up to which a follower has read.
  enum Start {
    case beginning
    case cursor(SQLiteCursor)
  }

  struct Outcome {
    /// The earlier changes of others, for each part.
    var updates: [StorageUpdate] = []
    /// The positions of new rows, for each part; nil if nothing was written.
    var positions: [[Int?]]?
    /// The cursor of each part's namespace after the transaction.
    var cursors: [SQLiteCursor] = []
  }

  /// The number of changes from which a larger cache pays.
  private static let largeCount = 1_000
  /// The size of that cache, in kibibytes.
  ///
  /// Keys come in any order, so each change of many touches another page of their index. Pages that
  /// do not fit the cache are written to the log, read again and written again.
  private static let largeCache = 65_536

  let parts: [Part]
  /// The bytes of the attachments that the file does not have.
  let bytes: [ContentDigest: Data]
  let time: Date

  /// Reads the changes of others and, unless they concern a basis, applies all changes.
  ///
  /// - Parameter patiently: whether to wait for SQLite's lock.
  /// - Throws: ``StorageError/outcomeUnknown(reason:)`` if the commit could not be flushed;
  ///   otherwise nothing is written.
  func run(on database: Database, patiently: Bool) throws -> Outcome {
    do {
      return try perform(on: database, patiently: patiently)
    } catch let error as SQLiteError where error.leavesOutcomeUnknown {
      throw StorageError.outcomeUnknown(reason: error.description)
    }
  }

  private func perform(on database: Database, patiently: Bool) throws -> Outcome {
    let isLarge = parts.reduce(0) { $0 + $1.changes.count } > Self.largeCount
    if isLarge { try database.setCache(kibibytes: Self.largeCache) }
    // A cache that stays large costs memory only.
    defer { if isLarge { try? database.setCache(kibibytes: SQLiteSchema.cache) } }
    return try database.write(patiently: patiently) {
      try SQLiteSchema.requireNoNewer(in: database)
      var outcome = Outcome()
      outcome.updates = try parts.map { part in
        switch part.start {
        case nil: StorageUpdate()
        case .beginning: try part.session.update(since: nil)
        case .cursor(let cursor): try part.session.update(since: cursor)
        }
      }
      var parts = parts
      var isConflict = false
      for (index, update) in outcome.updates.enumerated() {
        parts[index].rowGuard = parts[index].rowGuard(after: update)
        guard update.concerns(parts[index].basis) else { continue }
        if let again = parts[index].again {
          parts[index].changes = try again(update)
        } else {
          isConflict = true
        }
      }
      if !isConflict { outcome.positions = try apply(parts) }
      assert(outcome.updates.count == parts.count, "each part has an update")
      assert(
        outcome.positions.map { zip($0, parts).allSatisfy { $0.count == $1.changes.count } }
          ?? true,
        "each change has a position, or nil")
      let newest = try parts.map { try $0.session.newest() }
      outcome.cursors = newest.map(\.cursor)
      if !isConflict, let newest = newest.first { try database.pruneChanges(newest) }
      return outcome
    }
  }

  private func apply(_ parts: [Part]) throws -> [[Int?]] {
    guard let database = parts.first?.session.database else { return [] }
    let attachments = try parts.map { try $0.session.store($0.changes, bytes: bytes) }
    for part in parts where part.changes.contains(where: { $0.key == nil }) {
      guard let rowGuard = part.rowGuard else { continue }
      for row in try part.session.allRows() { try rowGuard.admit(row.key, over: row.data) }
    }
    var references = ReferenceChanges()
    let positions = try zip(parts, attachments).map { part, attachments in
      try part.session.apply(
        part.changes, attachments: attachments, at: time, admittedBy: part.rowGuard,
        recording: &references)
    }
    // At the end, since one part may refer to attachments that another drops.
    try database.noteUnreferenced(references.dropped)
    return positions
  }
}
