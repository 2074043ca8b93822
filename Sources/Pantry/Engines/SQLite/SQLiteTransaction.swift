internal import FoundationEssentials

/// One transaction that writes, in one or several namespaces of a file.
struct SQLiteTransaction {
  /// What it does in one namespace.
  struct Part {
    let session: SQLiteSession
    let changes: [StorageChange]
    /// From where on it is read what others have changed; nil if nobody asks.
    var cursor: Cursor?
    var basis = StorageBasis.nothing
  }

  /// How far somebody has read in a namespace.
  enum Cursor {
    case start
    case change(Int64)
  }

  /// What became of it.
  struct Outcome {
    /// What others have changed before, for each part.
    var updates: [StorageUpdate] = []
    /// The positions of new rows, for each part; nil if nothing was written.
    var positions: [[Int?]]?
    /// The attachments that it freed.
    var freed: [ContentDigest] = []
    /// The number of the last change in the file before it, and after.
    var formerChange: Int64 = 0
    var newestChange: Int64 = 0
    /// The numbers of the namespaces.
    var namespaces: [Int64] = []
  }

  let parts: [Part]
  /// The bytes of the attachments that the file does not have.
  let bytes: [ContentDigest: Data]
  let time: Date

  /// Reads what others have changed and, unless that concerns a basis, applies all changes.
  ///
  /// - Parameter whenLocked: called once the write lock is held.
  func run(on database: Database, whenLocked: () -> Void) throws -> Outcome {
    try database.write {
      whenLocked()
      try SQLiteSchema.requireNoNewer(in: database)
      var outcome = Outcome(
        formerChange: try database.newestChange(), namespaces: parts.map(\.session.namespace))
      outcome.updates = try parts.map { part in
        switch part.cursor {
        case nil: StorageUpdate()
        case .start: try part.session.update(since: nil)
        case .change(let change): try part.session.update(since: change)
        }
      }
      if !zip(parts, outcome.updates).contains(where: { $1.concerns($0.basis) }) {
        outcome.positions = try apply()
        outcome.freed = try takeFreed(database)
      }
      outcome.newestChange = try database.newestChange()
      return outcome
    }
  }

  private func apply() throws -> [[Int?]] {
    // Attachments first: a change may drop the last reference to bytes that a later one needs.
    let attachments = try parts.map { try $0.session.pin($0.changes, bytes: bytes) }
    let positions = try zip(parts, attachments).map { part, attachments in
      try part.session.apply(part.changes, attachments: attachments, at: time)
    }
    for (part, attachments) in zip(parts, attachments) {
      try part.session.unpin(attachments.values)
    }
    return positions
  }

  private func takeFreed(_ database: Database) throws -> [ContentDigest] {
    let select = try database.statement("SELECT digest FROM temp.freed")
    var digests: [ContentDigest] = []
    while try select.step() {
      if let digest = ContentDigest(bytes: select.data(0)) { digests.append(digest) }
    }
    select.reset()
    if !digests.isEmpty { try database.statement("DELETE FROM temp.freed").run() }
    return digests
  }
}
