package import FoundationEssentials
internal import Glibc

/// Replaces a damaged file by a new one with all that can be read of it.
package struct SQLiteRecovery {
  let location: SQLiteLocation
  /// The name for the first namespace whose own name was lost.
  let firstName: String
  package var replacement: SQLiteReplacement
  /// The number of salvage attempts; another process may write during each.
  private static let attempts = 3

  package init(_ location: SQLiteLocation, firstName: String) {
    self.location = location
    self.firstName = firstName
    replacement = SQLiteReplacement(location)
  }

  /// Recovers the file; returns nil if it is not damaged, as after another process has done so.
  ///
  /// - Throws: ``StorageError`` or ``SQLiteError``; then the file is as it was.
  package func run(at date: Date) throws -> RecoveryReport? {
    try location.locked {
      try replacement.finishInTurn()
      guard let cause = try damage() else {
        DamageMark(of: location.path).remove()
        return nil
      }
      for _ in 0..<Self.attempts {
        let before = lastingStamps
        var report = RecoveryReport(cause: cause)
        try SQLiteBackup.create(replacement.recoveredPath) { path in
          try RecoveredFile.write(at: path) { try salvage(cause, to: $0, &report) }
        }
        guard before.areUnchanged(in: stamps) else { continue }
        report.originalPath = try replacement.replace(at: date)
        DamageMark(of: location.path).remove()
        return report
      }
      throw StorageError.inUse(path: location.path)
    }
  }

  private func salvage(
    _ cause: RecoveryReport.Cause, to file: RecoveredFile, _ report: inout RecoveryReport
  ) throws {
    let usesLog = try cause != .foreignLog && mayOpenLog()
    let database = try Database(
      path: location.path, access: usesLog ? .reading : .readingImmutable)
    let log = cause == .foreignLog ? nil : SQLiteLogFrames(path: location.logPath)
    try database.configure(.noCheckpointOnClose, true)
    // SQLite then reads a file that is shorter than its header says.
    try database.execute("PRAGMA writable_schema = ON")
    try SQLiteSalvage(
      tables: ReadableTables(database), pages: SQLitePages(database, log: log),
      backups: SQLiteBackups(location.path).paths, firstName: firstName
    ).write(to: file, &report)
  }

  /// The file and its log, to detect that another process has written to them.
  private var stamps: [FileStamp?] {
    [location.path, location.logPath].map { path in
      // SQLite creates an empty log to read.
      FileStamp(path: path).flatMap { $0.byteCount > 0 ? $0 : nil }
    }
  }

  /// Stamps that any later write changes: those of a file just written change with the clock only.
  private var lastingStamps: [FileStamp?] {
    var wait = LockWait(patience: .seconds(3))
    while true {
      let stamps = stamps
      if stamps.areUnchanged(in: stamps) || !wait.pass() { return stamps }
    }
  }

  // MARK: What is damaged

  /// Returns why the file must be recovered; nil if it need not be.
  ///
  /// - Complexity: O(n) in the size of the file.
  private func damage() throws -> RecoveryReport.Cause? {
    guard let stamp = FileStamp(path: location.path) else { return nil }
    let hasLog = SQLiteLog.hasFrames(at: location.logPath)
    if stamp.byteCount <= 1, !hasLog {
      return SQLiteBackups(location.path).paths.isEmpty ? nil : .empty
    }
    if try isSound(.reading) { return nil }
    return try hasLog && isSound(.readingImmutable) ? .foreignLog : .damaged
  }

  /// Returns whether SQLite finds no damage.
  ///
  /// - Throws: ``StorageError`` for a file of another program or a newer version.
  private func isSound(_ access: Database.Access) throws -> Bool {
    do {
      let database = try Database(path: location.path, access: access)
      try database.configure(.noCheckpointOnClose, true)
      let bytes = try FileBytes(of: database)
      let log = access == .reading ? bytes : nil
      try FileJudge.judge(FileEvidence(path: bytes.path, header: bytes, log: log))
      try SQLiteSchema.refuseOthers(database)
      return try database.firstProblem() == nil
    } catch let error where error.reportsDamage {
      return false
    }
  }

  /// Whether SQLite may open the log: it would delete that of an empty file.
  private func mayOpenLog() throws -> Bool {
    let bytes = try FileBytes(of: Database(path: location.path, access: .reading))
    return try FileJudge.first(on: FileEvidence(path: bytes.path, log: bytes)) == nil
  }
}

extension Error {
  /// Whether a file is damaged; one of another program or of a newer version is not.
  package var reportsDamage: Bool {
    switch self as any Error {
    case let error as SQLiteError: error.kind == .corrupt || error.kind == .notADatabase
    case StorageError.damagedFile: true
    default: false
    }
  }
}
