internal import FoundationEssentials
internal import SystemSupport

/// Reads attachments on a separate connection, so that a picture never waits for a write.
///
/// Sendable because `opened` and `former` are used on `queue` only.
final class AttachmentReader: @unchecked Sendable {
  private let queue: any WorkQueue
  private let location: SQLiteLocation
  private let succession: SQLiteSuccession
  private var opened: (database: Database, number: Int)?
  /// The replaced file, in which older values still find their bytes.
  private var former: Database?

  init(_ location: SQLiteLocation, succession: SQLiteSuccession) {
    self.location = location
    self.succession = succession
    queue = ProcessContext.current.services.queue(label: "pantry.attachments", isUrgent: true)
  }

  /// Reads the bytes with this digest, without blocking the caller's thread.
  func data(for digest: ContentDigest) async throws -> Data? {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try self.read(digest) }) }
    }
  }

  /// Keeps the connection to a replaced file; the caller gives it up.
  func keep(former database: Database) {
    let database = Kept(database: database)
    queue.sync { former = database.database }
  }

  /// Closes the connection; the next reader opens another.
  func close() { queue.sync { opened = nil } }

  /// Transfers a connection that has no other user.
  private struct Kept: @unchecked Sendable {
    let database: Database
  }

  private func read(_ digest: ContentDigest) throws -> Data? {
    let database = try connection()
    if let data = try bytes(digest, in: database) { return data }
    if let data = try former.flatMap({ try bytes(digest, in: $0) }) { return data }
    // Bytes that only the index lacks are not absent.
    guard try bytes(digest, in: database, from: "attachment NOT INDEXED") == nil else {
      throw database.damage("its index of attachments does not match the table")
    }
    return nil
  }

  private func bytes(
    _ digest: ContentDigest, in database: Database, from table: String = "attachment"
  ) throws -> Data? {
    let statement = try database.statement("SELECT id, byteCount FROM \(table) WHERE digest = ?1")
    // The row stays as it is until its bytes have been read.
    defer { statement.reset() }
    try statement.bind(.blob(Data(digest.bytes)))
    guard try statement.step() else { return nil }
    return try database.blob(ofRow: statement.integer(0), in: "attachment", column: "bytes")
  }

  private func connection() throws -> Database {
    let number = succession.number
    if let opened, opened.number == number, !opened.database.isStale { return opened.database }
    let database = try location.openAnother()
    opened = (database, number)
    return database
  }
}
