internal import Synchronization
internal import SystemSupport

/// Frees the bytes of attachments that no row refers to.
///
/// A removal leaves them, so that it is fast and values of this process can still read them. They
/// are swept at the end of a program, along with checkpoints, and some time after the next opening;
/// but not while a value of this process refers to them, or while other processes have the file
/// open, whose values might.
///
/// It frees a few at a time, since SQLite reads all bytes that it frees.
final class AttachmentSweeper: Sendable {
  /// The number of attachments freed in one transaction.
  private static let batchSize = 32

  private let writer: SQLiteWriter
  private let notifyFile: SQLiteNotifyFile
  private let live: AttachmentsInUse
  private let hasBegun = Atomic(false)

  init(writer: SQLiteWriter, notifyFile: SQLiteNotifyFile, live: AttachmentsInUse) {
    self.writer = writer
    self.notifyFile = notifyFile
    self.live = live
  }

  /// Sweeps once what the last run has left, at a time of no activity, and checks the rows.
  func sweepAfterOpening() {
    guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
    writer.executor.queue.async(after: .seconds(1)) { [weak self] in
      self?.sweepInBackground()
      self?.writer.checkRowsInBackground()
    }
  }

  func sweepInBackground() {
    writer.executor.queue.async { [weak self] in
      guard let self else { return }
      // A failure leaves them for the next time.
      let hasMore = try? sweepSome(unlessShared: true)
      if hasMore == true { sweepInBackground() }
    }
  }

  /// Frees one batch of unused attachments; call it on the writer's queue.
  func sweepQuickly() throws { _ = try sweepSome(unlessShared: true) }

  /// Frees all that no value of this process refers to; call it on the writer's queue.
  func sweepAll() throws {
    while try sweepSome(unlessShared: false) {}
  }

  /// - Returns: whether there may be more.
  private func sweepSome(unlessShared: Bool) throws -> Bool {
    guard writer.isOpen else { return false }
    let database = try writer.connection().database
    guard !database.isReadOnly else { return false }
    guard try database.integer("SELECT 1 FROM unreferenced LIMIT 1") != nil else { return false }
    return try database.write {
      // Under the lock: a process that opens the file from now on finds no row that refers to the
      // freed bytes.
      guard !unlessShared || notifyFile.isAlone else { return false }
      return try database.sweepAttachments(limit: Self.batchSize, unless: live.contains)
    }
  }
}
