public import FoundationEssentials

extension SQLiteStorageEngine {
  /// Returns whether an error means that the file is damaged, so that ``recover(at:)`` can help.
  ///
  /// A file of another program or of a newer version is not damaged.
  public static func reportsDamage(_ error: any Error) -> Bool { error.reportsDamage }

  /// Checks all of the file, and its backups, and returns what was found.
  ///
  /// It checks the structure, compares tables with their indexes, and the bytes of attachments with
  /// their digests. Other calls and processes are not blocked. If the file is damaged, the next one
  /// that opens it is told so, and can call ``recover(at:)``.
  ///
  /// - Throws: ``StorageError`` or ``SQLiteError`` if the file cannot be opened, other than for
  ///   damage.
  /// - Complexity: O(n) in the size of the file, all of which is read.
  public nonisolated func check() async throws -> CheckReport {
    try await withCheckedThrowingContinuation { continuation in
      ProcessContext.current.services.runInBackground { [location = file.location] in
        continuation.resume(with: Result { try SQLiteCheck(location).run() })
      }
    }
  }

  /// Replaces a damaged file by a new one with all that can be read of it.
  ///
  /// Rows that cannot be read are taken from the newest backup beside the file, unless they were
  /// removed since. The damaged file and its log are kept beside it, under a name with `.corrupt-`
  /// and the date. Bytes of attachments are verified by their digests; a row whose bytes are lost
  /// is kept, and reading them throws ``StorageError/attachmentDamaged(_:)``.
  ///
  /// All engines of the process wait. Stores follow the new file like any that was moved there, and
  /// a store that could not load may load again. If the process is killed, the next one that opens
  /// the file has the damaged or the recovered one.
  ///
  /// - Parameter date: the date in the name; by default that of the engine's clock.
  /// - Returns: what was recovered; nil if the file is not damaged, as after another process has
  ///   recovered it.
  /// - Throws: ``StorageError`` or ``SQLiteError``, also for a file of another program or a newer
  ///   version; then the file is as it was.
  /// - Complexity: O(n) in the size of the file, for which there must be room.
  @discardableResult
  public func recover(at date: Date? = nil) async throws -> RecoveryReport? {
    guard !file.location.isReadOnly else { throw StorageError.readOnly(path: file.location.path) }
    _ = file.notifyFile.takeTurn()
    defer { file.notifyFile.endTurn() }
    let report = try SQLiteRecovery(file.location, firstName: namespace).run(at: date ?? now())
    if report != nil { file.notifyFile.notify() }
    return report
  }
}

/// The files that upkeep and recovery leave beside a database.
extension SQLiteStorageEngine {
  /// Lists the backups of rows beside a file, the newest first.
  package static func rowBackups(
    directory: StorageDirectory, databaseFilename: String = "pantry.sqlite"
  ) -> [URL] {
    SQLiteBackups(SQLiteLocation(databaseFilename, in: directory).path).paths.map {
      URL(filePath: $0)
    }
  }

  /// Lists the damaged files that ``recover(at:)`` has kept, the newest last.
  package static func keptDamagedFiles(
    directory: StorageDirectory, databaseFilename: String = "pantry.sqlite"
  ) -> [URL] {
    SQLiteLocation(databaseFilename, in: directory).place
      .siblings(withSuffix: ".corrupt-").filter { !$0.hasSuffix("-wal") }.map { URL(filePath: $0) }
  }
}
