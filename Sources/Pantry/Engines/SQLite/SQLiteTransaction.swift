internal import FoundationEssentials

/// One transaction that writes, in one or several namespaces of a file.
struct SQLiteTransaction {
  /// What it does in one namespace.
  struct Part {
    let session: SQLiteSession
    let changes: [StorageChange]
    /// From where on it is read what others have changed; nil if nobody asks.
    var start: Start?
    var basis = StorageBasis.nothing
  }

  /// How far somebody has read in a namespace.
  enum Start {
    case beginning
    case cursor(SQLiteCursor)
  }

  /// What became of it.
  struct Outcome {
    /// What others have changed before, for each part.
    var updates: [StorageUpdate] = []
    /// The positions of new rows, for each part; nil if nothing was written.
    var positions: [[Int?]]?
    /// Where each part's namespace is after it.
    var cursors: [SQLiteCursor] = []
  }

  let parts: [Part]
  /// The bytes of the attachments that the file does not have.
  let bytes: [ContentDigest: Data]
  let time: Date

  /// How many bytes it adds at most.
  var byteCount: Int {
    parts.lazy.flatMap(\.changes).reduce(bytes.values.reduce(0) { $0 + $1.count }) { sum, change in
      if case .write(let data, _, _) = change { sum + data.count } else { sum }
    }
  }

  /// Reads what others have changed and, unless that concerns a basis, applies all changes.
  ///
  /// - Parameter patiently: whether SQLite's lock is waited for.
  func run(on database: Database, patiently: Bool) throws -> Outcome {
    try database.write(patiently: patiently) {
      try SQLiteSchema.requireNoNewer(in: database)
      var outcome = Outcome()
      outcome.updates = try parts.map { part in
        switch part.start {
        case nil: StorageUpdate()
        case .beginning: try part.session.update(since: nil)
        case .cursor(let cursor): try part.session.update(since: cursor)
        }
      }
      if !zip(parts, outcome.updates).contains(where: { $1.concerns($0.basis) }) {
        outcome.positions = try apply()
      }
      outcome.cursors = try parts.map { try $0.session.newestCursor() }
      return outcome
    }
  }

  private func apply() throws -> [[Int?]] {
    guard let database = parts.first?.session.database else { return [] }
    let attachments = try parts.map { try $0.session.store($0.changes, bytes: bytes) }
    var dropped: Set<Int64> = []
    let positions = try zip(parts, attachments).map { part, attachments in
      try part.session.apply(
        part.changes, attachments: attachments, at: time, dropping: &dropped)
    }
    // At the end: what one part drops, another may refer to.
    try database.noteUnreferenced(dropped)
    try database.pruneChanges()
    return positions
  }
}
