/// The outcome of the recovery of a damaged file.
public struct RecoveryReport: Equatable, Sendable {
  /// The reason for a recovery.
  public enum Cause: Equatable, Sendable {
    /// Parts of the file cannot be read.
    case damaged
    /// The file was empty, and there are backups of it.
    case empty
    /// The write-ahead log beside the file belonged to another one: the file was probably copied
    /// over another one that was in use.
    case foreignLog
  }

  /// The rows of one namespace.
  public struct Count: Equatable, Sendable {
    /// The number of rows in the recovered file.
    public internal(set) var recovered = 0
    /// The number of recovered rows that are as they were in the backup.
    public internal(set) var fromBackup = 0
    /// The number of rows that the damaged file still named, but that were not found.
    public internal(set) var lost = 0

    package init() {}
  }

  /// The reason for the recovery.
  public let cause: Cause
  /// The rows by the name of their namespace.
  public internal(set) var counts: [String: Count] = [:]
  /// The number of attachments whose bytes were not found; their rows are kept.
  public internal(set) var missingAttachments = 0
  /// The backup from which rows were taken; nil if none were.
  public internal(set) var backupPath: String?
  /// The damaged file, which is kept under this name; its log has the same with `-wal`.
  public internal(set) var originalPath = ""

  /// Returns the counts of a namespace: zero if it has no rows.
  @available(*, deprecated, message: "Use counts[namespace], which is nil if it has no rows.")
  public func count(in namespace: String) -> Count { counts[namespace] ?? Count() }

  /// Whether no row and no attachment is known to be lost, in any namespace.
  public var isComplete: Bool {
    missingAttachments == 0 && counts.allSatisfy { $0.value.lost == 0 }
  }

  /// The number of rows of all namespaces.
  public var rowCount: Int { counts.values.reduce(0) { $0 + $1.recovered } }
}
