internal import Dispatch
internal import SystemSupport

/// The only writing connection of this process to a file, for all its namespaces.
///
/// All reads and writes of rows run on its queue, one after another: the engines have it as their
/// executor, and the watcher checks on it.
///
/// Sendable because its variables are used on `executor` only.
final class SQLiteWriter: @unchecked Sendable {
  let executor: QueueExecutor
  /// The queue of what reads or copies the file beside the commits, one after another.
  let upkeep: any WorkQueue
  /// Has one entry until this is deinitialized, and the file closed.
  let closing = DispatchGroup()

  private let location: SQLiteLocation
  private let succession: SQLiteSuccession
  private let attachments: AttachmentReader
  private let notifyFile: SQLiteNotifyFile
  private var opened: (connection: SQLiteConnection, number: Int)?
  /// Whether another process kept the file locked during the last attempt to open it.
  ///
  /// Then the next attempt does not wait: the callers in the queue would wait one after another.
  private var wasLocked = false
  /// The index of a log that is gone.
  private var formerIndex: FileIdentity?
  /// Whether the file was closed, so that only an operation opens it; use it on the executor.
  private(set) var isClosed = false
  /// Called after an operation has opened a closed file, when others may have written to it.
  var hasReopened: (@Sendable () -> Void)?
  /// The number of connections so far; use it on the executor.
  private(set) var connectionCount = 0

  init(
    _ location: SQLiteLocation, succession: SQLiteSuccession, attachments: AttachmentReader,
    notifyFile: SQLiteNotifyFile
  ) {
    self.location = location
    self.succession = succession
    self.attachments = attachments
    self.notifyFile = notifyFile
    let services = ProcessContext.current.services
    executor = QueueExecutor(services.queue(label: "pantry.sqlite", isUrgent: true))
    upkeep = services.queue(label: "pantry.upkeep", isUrgent: false)
    closing.enter()
  }

  /// The connection to the file now at the path; call it on the executor.
  func connection() throws -> SQLiteConnection { try current().connection }

  /// The connection, and whether the file or the log is gone from its path.
  private func current() throws -> (connection: SQLiteConnection, loss: StorageError?) {
    executor.queue.requireCurrent()
    let (number, isGone) = succession.current
    // A writer may have created it meanwhile.
    if location.isReadOnly { notifyFile.openIfNeeded() }
    if let opened, opened.number == number, !opened.connection.database.isStale {
      if opened.connection.hasLog {
        return (opened.connection, isGone ? .fileIsGone(path: location.path) : nil)
      }
      // It can still read.
      if !closeToReplace(opened.connection) {
        return (
          opened.connection,
          isGone ? .fileIsGone(path: location.path) : .logIsGone(path: location.path)
        )
      }
    }
    try requireNoFormerIndex()
    if let former = opened.take(), former.number != number {
      attachments.keep(former: former.connection.database)
    }
    try succession.requireOwnLog()
    let connection = try open()
    notifyFile.openIfNeeded()
    succession.opened()
    opened = (connection, number)
    if isClosed { hasReopened?() }
    isClosed = false
    connectionCount += 1
    return (connection, nil)
  }

  /// Closes all connections to a log that is gone, if nothing is lost by that.
  private func closeToReplace(_ connection: SQLiteConnection) -> Bool {
    // Without the file, a new connection would create an empty one.
    guard FileIdentity(path: location.path) != nil,
      connection.mayBeReplaced(isAlone: notifyFile.isAlone)
    else { return false }
    formerIndex = connection.logIndex
    opened = nil
    attachments.close()
    succession.forgetLog()
    return true
  }

  /// Throws while a connection of this process uses the index of a log that is gone, such as that
  /// of a running backup: a new one would share it.
  private func requireNoFormerIndex() throws {
    if let formerIndex, formerIndex.isMapped {
      throw StorageError.logIsGone(path: location.path)
    }
    formerIndex = nil
  }

  private func open() throws -> SQLiteConnection {
    if !location.isReadOnly { ProcessContext.current.object { SQLiteFiles() }.emptyLogsAtExit() }
    do {
      let connection = try SQLiteConnection(location.open(waits: !wasLocked))
      wasLocked = false
      return connection
    } catch let error as SQLiteError {
      wasLocked = error.kind == .busy
      throw error
    }
  }

  /// The connection, if it can write; call it on the executor.
  ///
  /// - Throws: ``StorageError/readOnly(path:)`` if it cannot, ``StorageError/fileIsGone(path:)`` or
  ///   ``StorageError/logIsGone(path:)`` if a write would be lost, ``SQLiteError`` if the disk is
  ///   full.
  func writableConnection() throws -> SQLiteConnection {
    guard !location.isReadOnly else { throw StorageError.readOnly(path: location.path) }
    try location.requireLink()
    var (connection, loss) = try current()
    if let loss { throw loss }
    if connection.database.isReadOnly {
      // The file may have become writable meanwhile.
      opened = nil
      connection = try current().connection
    }
    guard !connection.database.isReadOnly else {
      guard !SQLiteLogRoom(path: location.path).isUsedUp else {
        throw SQLiteError.diskFull(path: location.path)
      }
      throw StorageError.readOnly(path: location.path)
    }
    return connection
  }

  /// Checks all tables but that of attachments, whose check would read all their bytes.
  ///
  /// It uses a connection of its own, so that no call waits. Damage leaves the mark, and the
  /// writing connection is given up: the next call opens the file, which checks all of it.
  func checkRowsInBackground() {
    upkeep.async { [weak self] in
      guard let self else { return }
      do {
        let database = try location.openAnother()
        let problem = try database.firstProblem(ofTablesWhere: "t.name <> 'attachment'")
        guard let problem else { return }
        _ = database.damage(problem)
        executor.queue.async { self.opened = nil }
      } catch {
        // A file that cannot be opened or read now is reported by the next call.
      }
    }
  }

  /// The connection that this turn of the executor has asked for already, without looking again
  /// whether its file is at the path.
  func usedConnection() throws -> SQLiteConnection {
    if let opened { opened.connection } else { try connection() }
  }

  /// Whether the file has been opened; call it on the executor.
  var isOpen: Bool { opened != nil }

  /// Closes all connections of the engines to the file; the next operation opens it again.
  ///
  /// Call it on the executor. Where this is the last process that has the file open, the file has
  /// everything and its log is removed. The lease in the ``SQLiteNotifyFile`` decides that.
  ///
  /// - Throws: why the log could not be copied to the file, which is closed all the same.
  func close() throws {
    guard opened != nil else { return }
    let result = Result { try finish() }
    opened = nil
    isClosed = true
    // The next connection has another log.
    succession.forgetLog()
    notifyFile.close()
    try result.get()
  }

  deinit {
    // A failure leaves the log, which the next process that opens the file reads.
    if opened != nil { try? finish() }
    opened = nil
    closing.leave()
  }

  /// Closes the other connection, and prepares this one to remove the log with itself.
  private func finish() throws {
    attachments.close()
    try emptyLog()
    guard let database = opened?.connection.database, !database.isReadOnly, notifyFile.isAlone
    else { return }
    try database.configure(.noCheckpointOnClose, false)
  }

  /// Copies the log to the file, and empties it if no other process has the file open; call it on
  /// the executor.
  func emptyLog() throws {
    guard let connection = opened?.connection, !connection.database.isReadOnly else { return }
    try connection.requireLog()
    if notifyFile.isAlone {
      try connection.database.emptyLog()
    } else {
      try connection.database.checkpoint()
    }
  }

  /// The number of the connected file; call it on the executor.
  var fileNumber: Int { opened?.number ?? 0 }

  /// Runs `work` on the executor, for callers outside it.
  func sync<Result>(_ work: () throws -> Result) rethrows -> Result {
    try executor.queue.sync(work)
  }
}
