public import FoundationEssentials

/// The findings of ``SQLiteStorageEngine/check()``.
public struct CheckReport: Equatable, Sendable, CustomStringConvertible {
  /// A backup of rows beside the file.
  public struct Backup: Equatable, Sendable {
    /// The file.
    public let url: URL
    /// The number of its rows; nil if it is damaged.
    public let rowCount: Int?
  }

  /// The damage of the file, in SQLite's words; nil if it is intact.
  ///
  /// ``SQLiteStorageEngine/recover(at:)`` helps.
  public internal(set) var damage: String?
  /// The number of rows by the name of their namespace.
  public internal(set) var rowCounts: [String: Int] = [:]
  /// The number of attachments.
  public internal(set) var attachmentCount = 0
  /// The attachments whose bytes are not those that were stored, or are missing.
  public internal(set) var lostAttachments: [ContentDigest] = []
  /// The backups of rows, the newest first.
  public internal(set) var backups: [Backup] = []

  /// Whether nothing is damaged or missing, in the file and in its backups.
  public var isSound: Bool {
    damage == nil && lostAttachments.isEmpty && backups.allSatisfy { $0.rowCount != nil }
  }

  /// A line for each finding.
  public var description: String {
    let rows = rowCounts.sorted { $0.key < $1.key }.map { "\($0.value) in \($0.key)" }
    var lines = [
      damage.map { "The file is damaged: \($0)" }
        ?? (lostAttachments.isEmpty
          ? "The file is whole" : "The rows of the file are whole, but not all attachments"),
      "Rows: \(rows.isEmpty ? "none" : rows.joined(separator: ", "))",
      "Attachments: \(attachmentCount)"
        + (lostAttachments.isEmpty ? "" : ", of which \(lostAttachments.count) are damaged"),
    ]
    lines += backups.map { backup in
      backup.url.lastPathComponent + ": "
        + (backup.rowCount.map { "\($0) rows" } ?? "damaged")
    }
    return lines.joined(separator: "\n")
  }
}
