internal import Dispatch
internal import Synchronization

/// Frees the bytes of attachments that no row refers to any more.
///
/// A removal leaves them, so that it is quick and values of this process find them. They are swept
/// at the end of a program, beside the checkpoints, and some time after the next opening; unless a
/// value of this process holds them, or other processes have the file open, whose values might.
///
/// A few at a time: SQLite reads the whole of what it frees.
final class AttachmentSweeper: Sendable {
  /// How many are freed in one transaction.
  private static let batchSize = 32

  private let writer: SQLiteWriter
  private let notifyFile: SQLiteNotifyFile
  private let live: LiveAttachments
  private let hasBegun = Atomic(false)

  init(writer: SQLiteWriter, notifyFile: SQLiteNotifyFile, live: LiveAttachments) {
    self.writer = writer
    self.notifyFile = notifyFile
    self.live = live
  }

  /// Sees to what was left at the last end of a program, once: when that disturbs nobody.
  func sweepAfterOpening() {
    guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
    writer.executor.queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
      self?.sweepInBackground()
    }
  }

  /// Frees what nobody can need any more, in the background.
  func sweepInBackground() {
    writer.executor.queue.async { [weak self] in
      guard let self else { return }
      // Failing leaves it for the next time.
      let hasMore = try? sweepSome(unlessShared: true)  // see above
      if hasMore == true { sweepInBackground() }
    }
  }

  /// Frees what nobody can need any more, as far as that is quick; call it on the writer's queue.
  func sweepQuickly() throws { _ = try sweepSome(unlessShared: true) }

  /// Frees all that no value of this process holds; call it on the writer's queue.
  func sweepAll() throws {
    while try sweepSome(unlessShared: false) {}
  }

  /// - Returns: whether there may be more.
  private func sweepSome(unlessShared: Bool) throws -> Bool {
    let database = try writer.connection().database
    guard !database.isReadOnly else { return false }
    guard try database.integer("SELECT 1 FROM unreferenced LIMIT 1") != nil else { return false }
    return try database.write {
      // With the lock: whoever opens the file from now on finds no row with what is freed.
      guard !unlessShared || notifyFile.isAlone else { return false }
      return try database.sweepAttachments(limit: Self.batchSize, unless: live.contains)
    }
  }
}
