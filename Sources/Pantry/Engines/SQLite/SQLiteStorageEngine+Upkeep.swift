public import FoundationEssentials

extension SQLiteStorageEngine {
  /// Copies a snapshot of the whole file, with all namespaces and attachments, to `url`.
  ///
  /// Other calls and processes are not blocked. The copy has mode 0600 and no log beside it, and
  /// gets its name only when it is complete and on disk, replacing an existing file. It needs as
  /// much space as the content of the file, and its parent directory must exist.
  ///
  /// The structure of the file is checked before, and all of the copy before it gets its name, with
  /// the digests of all attachments.
  ///
  /// To restore it, move the copy to the place of the file. Programs that use the file may keep
  /// running: their stores then show its content.
  ///
  /// - Returns: the attachments that the copy does not have, since their bytes are damaged or
  ///   missing in the file; empty if it has everything.
  /// - Throws: ``StorageError/cannotCreate(path:reason:)`` or ``SQLiteError``, and for a damaged
  ///   file ``StorageError/damagedFile(path:reason:)``; then an earlier copy is as it was.
  /// - Complexity: O(n) in the size of the file; a few hundred megabytes take a second or two.
  @discardableResult
  public nonisolated func backup(to url: URL) async throws -> [ContentDigest] {
    let path = url.pathForKernel
    return try await withCheckedThrowingContinuation { continuation in
      ProcessContext.current.services.runInBackground { [file] in
        continuation.resume(
          with: Result {
            try PathText.requireUsable(path)
            return try SQLiteBackup.make(of: file.location.openAnother(), at: path)
          })
      }
    }
  }

  /// Copies all rows beside the file, at most once a day, if any has changed since the last copy.
  ///
  /// ``recover(at:)`` uses these copies. Their names end with the day:
  /// `pantry.sqlite.backup-2026-11-22`. The newest `limit` are kept; a wrong clock removes no more
  /// of them than any day does, and prevents no later ones. A copy with rows that are missing now,
  /// although no change removed them, is kept as well.
  ///
  /// The bytes of attachments are not copied: they are in the file only. Other calls and processes
  /// are not blocked. No copy is made of a file without rows, or if less than twice the size of the
  /// copy is free.
  ///
  /// - Parameters:
  ///   - date: the date; by default that of the engine's clock.
  ///   - limit: the number of daily copies that are kept.
  /// - Returns: the new copy; nil if none was made.
  /// - Throws: ``StorageError`` or ``SQLiteError``, and for a damaged file
  ///   ``StorageError/damagedFile(path:reason:)``; then all earlier copies are there.
  /// - Complexity: O(n) in the size of the file, whose structure is checked, once a day: 10,000
  ///   rows with 90 MB of attachments take a quarter of a second.
  @discardableResult
  public nonisolated func backUpRows(
    at date: Date? = nil, keeping limit: Int = 3
  ) async throws -> URL? {
    let date = date ?? now()
    guard !file.location.isReadOnly else { return nil }
    return try await withCheckedThrowingContinuation { continuation in
      ProcessContext.current.services.runInBackground { [location = file.location] in
        continuation.resume(
          with: Result {
            // Two processes must not write the same copy.
            try location.locked {
              try SQLiteBackups(location.path).makeIfDue(
                of: location.openAnother(), at: date, keeping: limit)
            }.map { URL(filePath: $0) }
          })
      }
    }
  }

  /// Returns the space of removed items to the file system.
  ///
  /// SQLite reuses free space by itself, so this is worthwhile only after many removals. It
  /// rewrites the file: all calls on it wait, those of other processes for at most 5 seconds, and
  /// twice the size of its content must be free. Where no temporary file can be made, the content
  /// is held in memory meanwhile.
  ///
  /// - Throws: ``SQLiteError``, and for a damaged file ``StorageError/damagedFile(path:reason:)``;
  ///   then the file is as it was.
  /// - Complexity: O(n) in the size of the file.
  public func compact() async throws {
    let database = try file.writer.writableConnection().database
    // It copies tables and indexes apart.
    if let problem = try database.firstProblem() { throw database.damage(problem) }
    try database.compact()
    file.checkpointer.finish()
    try? file.writer.emptyLog()  // a failure leaves it to the next checkpoint
  }

  /// Closes the file, for all its engines in this process, after earlier operations.
  ///
  /// If no other process has the file open, the one file then has everything, and there is no log
  /// beside it. The end of the program does the same by itself (<doc:ConcurrencyAndDurability>);
  /// `close()` does it earlier, frees some unused attachments, and throws the reason if it fails.
  /// Afterwards, another process may free those that only values of this one refer to.
  ///
  /// A later operation opens the file again; until then, stores on it do not follow other
  /// processes. It does nothing if the file was never opened, and never waits for other processes
  /// that read or write.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError`` if the log could not be copied to the file. The
  ///   file is closed all the same, and the log stays: nothing is lost.
  public func close() async throws {
    // A file that could not be opened, such as a locked one, must not make the program wait.
    guard file.writer.isOpen else { return }
    if !file.location.isReadOnly {
      try? file.sweeper.sweepQuickly()  // a failure leaves them for the next time
      file.checkpointer.finish()
    }
    try file.writer.close()
  }

  /// Closes the file, without errors.
  @available(*, deprecated, renamed: "close()")
  public func emptyLog() async {
    try? await close()  // the log stays, and nothing is lost
  }

  /// Runs `work` between two writes of this process to the file, which wait for its end.
  ///
  /// Meanwhile this process holds none of SQLite's locks for writing. Use it to stop the process,
  /// as for ctrl-Z: one stopped while it writes keeps all others from writing until it continues.
  ///
  /// The calling thread waits for the write in progress, at most 5 seconds if another process has
  /// the lock. Await ``Store/operationsHaveEnded()`` before, and the wait is short. `work` must not
  /// call this or another engine on the file.
  ///
  /// - Returns: what `work` returns.
  /// - Throws: what `work` throws.
  public nonisolated func betweenWrites<Result>(_ work: () throws -> Result) rethrows -> Result {
    try file.writer.sync {
      // One that was kept for a change that is made again: others would wait for it meanwhile.
      file.notifyFile.endTurn()
      return try work()
    }
  }

  /// Returns whether the file has a namespace, which it gets with its first use; this is none.
  package func hasNamespace(_ name: String) throws -> Bool {
    let namespaces = try file.writer.connection().database
      .statement("SELECT 1 FROM namespace WHERE name = ?1")
    defer { namespaces.reset() }
    try namespaces.bind(.text(name))
    return try namespaces.step()
  }

  package nonisolated var path: String { file.location.path }
}
