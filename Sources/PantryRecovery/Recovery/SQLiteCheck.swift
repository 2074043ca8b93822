internal import FoundationEssentials

/// Reads all of a file, and its backups.
package struct SQLiteCheck {
  private let location: SQLiteLocation

  package init(_ location: SQLiteLocation) {
    self.location = location
  }

  package func run() throws -> CheckReport {
    var report = CheckReport()
    guard try SQLiteLocation.exists(location.path) else {
      throw StorageError.nothingToRead(path: location.path)
    }
    let wasAtRest = location.isAtRest
    do {
      try FileJudge.judge(FileEvidence(path: location.path, content: location))
      // An empty file without backups is a new one.
      if FileStamp(path: location.path)?.byteCount ?? 0 > 1 || !wasAtRest {
        let database = try location.openToCheck()
        if let problem = try database.firstProblem() { throw database.damage(problem) }
        try database.read { try look(at: database, &report) }
      }
    } catch StorageError.damagedFile(_, let reason) {
      report.damage = reason
    } catch let error as SQLiteError where error.reportsDamage {
      report.damage = error.message
    }
    // A writer that came meanwhile may have changed what was read.
    if wasAtRest, !location.isAtRest { return try run() }
    report.backups = SQLiteBackups(location.path).paths.map { path in
      CheckReport.Backup(url: URL(filePath: path), rowCount: rowCount(ofBackup: path))
    }
    return report
  }

  private func look(at database: Database, _ report: inout CheckReport) throws {
    let counts = try database.statement(
      """
      SELECT name, (SELECT count(*) FROM item WHERE item.namespace = namespace.id) FROM namespace
      """)
    defer { counts.reset() }
    while try counts.step() { report.rowCounts[counts.text(0)] = Int(counts.integer(1)) }
    report.attachmentCount = Int(try database.integer("SELECT count(*) FROM attachment") ?? 0)
    report.lostAttachments = try database.lostAttachments()
  }

  /// The number of rows of a whole backup; nil if it is damaged.
  private func rowCount(ofBackup path: String) -> Int? {
    do {
      let database = try Database(path: path, access: .readingImmutable)
      try SQLiteSchema.refuseOthers(database)
      guard try database.firstProblem() == nil else { return nil }
      return try database.integer("SELECT count(*) FROM item").map { Int($0) }
    } catch {
      return nil  // it cannot be used
    }
  }
}
