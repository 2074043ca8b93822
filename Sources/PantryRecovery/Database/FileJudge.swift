internal import CPantryFileSystem

/// What is known of a file at a moment before its first row; the rest is nil.
struct FileEvidence {
  let path: String
  /// The path, before anything is opened or created.
  var place: SQLiteLocation?
  /// The file, before it is created if it is absent.
  var content: SQLiteLocation?
  /// The file, before each connection.
  var names: SQLiteLocation?
  /// Its first bytes, before SQLite reads them.
  var header: FileBytes?
  /// The same beside a log, which SQLite is about to play back.
  var log: FileBytes?
  /// The rows as a log has them that another process may have left.
  var replayed: Database?
  /// The tables and the version.
  var tables: SQLiteSchema.State?
  /// The connection to tables of Pantry.
  var own: Database?
  /// The rows, before the first of them is written, or said to be absent.
  var rows: Database?
}

/// A reason to refuse a file before its first row.
struct FileJudge: Sendable {
  let name: String
  /// The number of the fault in docs/Faults.md.
  let fault: Int
  /// Returns the error for a file; nil also if the evidence is about something else.
  private let verdict: @Sendable (FileEvidence) throws -> StorageError?

  /// Returns the first judge with a verdict, and the verdict; nil if there is none.
  static func first(on file: FileEvidence) throws -> (judge: FileJudge, error: StorageError)? {
    for judge in all {
      if let error = try judge.verdict(file) { return (judge, error) }
    }
    return nil
  }

  /// Throws the first verdict.
  static func judge(_ file: FileEvidence) throws {
    if let verdict = try first(on: file) { throw verdict.error }
  }

  /// A judge of damage, whose name is the reason in the error.
  private static func damage(
    _ reason: String, fault: Int, _ isMet: @escaping @Sendable (FileEvidence) throws -> Bool?
  ) -> FileJudge {
    FileJudge(name: reason, fault: fault) {
      try isMet($0) == true ? .damagedFile(path: $0.path, reason: reason) : nil
    }
  }

  /// All judges, in the order in which they are asked.
  static let all = [
    FileJudge(name: "a default directory of others", fault: 91) { $0.place?.otherOwner() },
    FileJudge(name: "a path that is not UTF-8", fault: 87) {
      $0.place.flatMap { PathText.refusal(of: $0.givenPath) ?? PathText.refusal(of: $0.path) }
    },
    FileJudge(name: "a link that leads nowhere", fault: 86) {
      guard $0.place?.isLink == true else { return nil }
      return .unusablePath(
        path: $0.path, reason: "it is a link to a path that is not UTF-8 text, or to itself")
    },
    FileJudge(name: "a name that no database can have", fault: 87) { file in
      file.place?.unusableName.map { .unusablePath(path: file.path, reason: $0) }
    },
    FileJudge(name: "a directory, pipe or device", fault: 112) {
      $0.place?.allPaths.lazy.compactMap(SQLiteLocation.obstacle).first
    },
    FileJudge(name: "no file to read", fault: 74) {
      guard let place = $0.place, place.isReadOnly, FileIdentity.isAbsent($0.path)
      else { return nil }
      return .nothingToRead(path: $0.path)
    },
    damage("it is empty, and there are backups of it", fault: 72) { $0.content?.isEmptied },
    FileJudge(name: "a file mounted by itself", fault: 86) {
      // Not a comparison of devices: on overlayfs and btrfs, files may differ from their directory.
      $0.names != nil && pantry_is_mount_root($0.path) == 1 ? .mountedAlone(path: $0.path) : nil
    },
    FileJudge(name: "a second name", fault: 52) {
      $0.names?.hasSecondName == true ? .hardLinked(path: $0.path) : nil
    },
    damage("only its first bytes are left", fault: 83) { $0.header?.isBeginning },
    damage("its header is invalid", fault: 83) { $0.header?.hasInvalidHeader },
    damage("it is empty, and its write-ahead log is not", fault: 43) { $0.log?.isOnlyLog },
    damage("it was cut short in the middle of a page", fault: 83) { $0.log?.isCutShort },
    damage("the write-ahead log beside it belongs to another database", fault: 43) {
      $0.log?.hasForeignLog
    },
    // A backup that is copied over the file, instead of being moved there, leaves the log of the
    // former content. Its pages have the same size, so only the content differs. It takes O(n) in
    // the number of rows, after a process was killed.
    damage(
      "it does not match its write-ahead log, as if a backup had been copied over it", fault: 75
    ) {
      try $0.replayed.map {
        try SQLiteLog.hasFrames(at: $0.path + "-wal")
          && !SQLiteNotifyFile.isOpen(at: SQLiteLocation.notifyName(of: $0.path))
          && $0.firstProblem(ofTablesWhere: "t.name <> 'attachment'") != nil
      }
    },
    FileJudge(name: "a newer version", fault: 45) {
      guard case .newer(let found) = $0.tables else { return nil }
      return .newerSchema(
        path: $0.path, version: Int(found), supported: Int(SQLiteSchema.version))
    },
    FileJudge(name: "version 0.1.0", fault: 45) {
      $0.tables == .firstVersion ? .olderSchema(path: $0.path) : nil
    },
    FileJudge(name: "another program", fault: 45) {
      $0.tables == .foreign ? .notAPantryFile(path: $0.path) : nil
    },
    damage("its header and its tables do not match", fault: 83) { $0.tables == .mismatched },
    FileJudge(name: "a mark of damage", fault: 85) { file in
      guard let database = file.own, file.tables != .new else { return nil }
      return try DamageMark(of: file.path).verdict(in: database)
    },
    FileJudge(name: "an unfinished file to read", fault: 74) {
      guard $0.own?.isReadOnly == true, let reason = $0.tables?.reasonToWrite else { return nil }
      return .needsWriting(path: $0.path, reason: reason)
    },
    // A flipped bit in the header of a page hides rows without an error of SQLite's; the next write
    // would destroy them.
    FileJudge(name: "an index with other entries than its table", fault: 83) {
      guard let database = $0.rows, let index = try database.miscountedIndex() else { return nil }
      return database.damage("its index \(index) has more or fewer entries than the table")
    },
    FileJudge(name: "a damaged small table", fault: 83) { file in
      try file.rows?.firstProblem(ofTablesWhere: "t.name IN ('sqlite_schema', 'namespace')")
        .flatMap { file.rows?.damage($0) }
    },
  ]
}
