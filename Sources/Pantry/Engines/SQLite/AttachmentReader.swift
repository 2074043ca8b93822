internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// Reads attachments on a connection of its own, so that a picture never waits for a write.
///
/// It also keeps promise "a live value keeps its bytes reachable". Before a transaction that may
/// free attachments the writer calls ``holdSnapshot()``: a read transaction in WAL mode goes on
/// seeing the old rows. ``release()`` copies those that values still refer to into a TEMP
/// table (a private file that SQLite unlinks, not memory) and lets the snapshot go. All calls of
/// writers come on the file's one queue, so that none comes between.
///
/// Sendable because `opened` and `awaitingRelease` are used on `queue` only.
final class AttachmentReader: @unchecked Sendable {
  private let queue = DispatchQueue(label: "pantry.attachments", qos: .userInitiated)
  private let location: SQLiteLocation
  private let succession: SQLiteSuccession
  private let live: LiveAttachments
  private var opened: (database: Database, number: Int)?
  /// The file before this one, where values from it still find their bytes.
  private var former: Database?
  private let snapshotIsHeld = Atomic(false)
  private var awaitingRelease: [ContentDigest] = []

  /// Whether there is a snapshot to let go; changed on `queue` only, read anywhere.
  private(set) var holdsSnapshot: Bool {
    get { snapshotIsHeld.load(ordering: .acquiring) }
    set { snapshotIsHeld.store(newValue, ordering: .releasing) }
  }

  init(_ location: SQLiteLocation, succession: SQLiteSuccession, live: LiveAttachments) {
    self.location = location
    self.succession = succession
    self.live = live
  }

  /// Reads the bytes with this digest, without blocking the caller's thread.
  func data(for digest: ContentDigest) async throws -> Data? {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try self.read(digest) }) }
    }
  }

  /// Makes what the database holds now readable until the next ``release()``.
  func holdSnapshot() throws {
    try queue.sync {
      try releaseNow()
      let database = try connection()
      try database.statement("BEGIN").run()
      holdsSnapshot = true
      // A deferred transaction takes its snapshot at the first read.
      _ = try database.integer("SELECT count(*) FROM sqlite_schema")
    }
  }

  /// Keeps a connection to a file in whose place another one is now; the caller lets go of it.
  func keep(former database: Database) {
    let database = Kept(database: database)
    queue.sync { former = database.database }
  }

  /// Carries a connection that nobody else uses any more.
  private struct Kept: @unchecked Sendable {
    let database: Database
  }

  /// Notes which attachments the committed transaction freed.
  func freed(_ digests: [ContentDigest]) {
    queue.sync { awaitingRelease += digests }
  }

  /// Copies the freed attachments that values refer to, then lets the snapshot go.
  func release() throws {
    try queue.sync { try releaseNow() }
  }

  private func read(_ digest: ContentDigest) throws -> Data? {
    let sql = """
      SELECT bytes FROM main.attachment WHERE digest = ?1
      UNION ALL SELECT bytes FROM temp.survivor WHERE digest = ?1 LIMIT 1
      """
    if let data = try bytes(digest, connection().statement(sql)) { return data }
    let plain = "SELECT bytes FROM attachment WHERE digest = ?1"
    if let data = try former.flatMap({ try bytes(digest, $0.statement(plain)) }) { return data }
    guard holdsSnapshot else { return nil }
    // The snapshot is older than an attachment stored since, and a writer still needs it: look
    // past it, on a connection for this one read.
    let now = try location.openAnother()
    return try bytes(digest, now.statement(plain))
  }

  private func bytes(_ digest: ContentDigest, _ statement: Statement) throws -> Data? {
    defer { statement.reset() }
    try statement.bind(.blob(Data(digest.bytes)))
    return try statement.step() ? statement.data(0) : nil
  }

  private func releaseNow() throws {
    guard holdsSnapshot else { return }
    let database = try connection()
    let freed = awaitingRelease
    awaitingRelease = []
    holdsSnapshot = false
    do {
      for digest in freed where live.contains(digest) {
        try database.statement(
          """
          INSERT OR IGNORE INTO temp.survivor (digest, bytes)
          SELECT digest, bytes FROM main.attachment WHERE digest = ?1
          """
        ).run(.blob(Data(digest.bytes)))
      }
      try database.statement("COMMIT").run()
    } catch {
      // Whatever could not be copied is gone with the snapshot: reading it will say so.
      try database.statement("ROLLBACK").run()
      throw error
    }
    try forgetDeadSurvivors(database)
  }

  private func forgetDeadSurvivors(_ database: Database) throws {
    let select = try database.statement("SELECT digest FROM temp.survivor")
    var dead: [Data] = []
    while try select.step() {
      let bytes = select.data(0)
      if let digest = ContentDigest(bytes: bytes), !live.contains(digest) { dead.append(bytes) }
    }
    select.reset()
    for bytes in dead {
      try database.statement("DELETE FROM temp.survivor WHERE digest = ?1").run(.blob(bytes))
    }
  }

  private func connection() throws -> Database {
    let number = succession.number
    if let opened, opened.number == number { return opened.database }
    let database = try location.openAnother()
    try database.execute(
      "CREATE TEMP TABLE survivor (digest BLOB NOT NULL PRIMARY KEY, bytes BLOB NOT NULL)")
    if opened != nil {
      // The snapshot was of the former file, which nobody writes to any more.
      holdsSnapshot = false
      awaitingRelease = []
    }
    opened = (database, number)
    return database
  }
}
