internal import Dispatch

/// The only writing connection of this process to a file, for all its namespaces.
///
/// All reads and writes of rows run on its queue, one after another: the engines have it as their
/// executor, and the watcher checks on it.
///
/// Sendable because its variables are used on `executor` only.
final class SQLiteWriter: @unchecked Sendable {
  let executor = QueueExecutor(label: "pantry.sqlite")

  private let location: SQLiteLocation
  private let succession: SQLiteSuccession
  private let attachments: AttachmentReader
  private let notifyFile: SQLiteNotifyFile
  private var opened: (connection: SQLiteConnection, number: Int)?
  /// Whether another process kept the file locked during the last attempt to open it.
  ///
  /// Then the next attempt does not wait: the callers in the queue would wait one after another.
  private var wasLocked = false
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
  }

  /// The connection to the file now at the path; call it on the executor.
  func connection() throws -> SQLiteConnection {
    dispatchPrecondition(condition: .onQueue(executor.queue))
    let number = succession.number
    // A writer may have created it meanwhile.
    if location.isReadOnly { notifyFile.openIfNeeded() }
    if let opened, opened.number == number, !opened.connection.database.isStale {
      return opened.connection
    }
    if let former = opened.take(), former.number != number {
      attachments.keep(former: former.connection.database)
    }
    try succession.requireOwnLog()
    let connection = try open()
    notifyFile.openIfNeeded()
    succession.opened()
    opened = (connection, number)
    connectionCount += 1
    return connection
  }

  private func open() throws -> SQLiteConnection {
    do {
      let connection = try SQLiteConnection(location.open(waits: !wasLocked))
      wasLocked = false
      return connection
    } catch let error as SQLiteError {
      wasLocked = error.code == .busy
      throw error
    }
  }

  /// The connection, if it can write; call it on the executor.
  ///
  /// - Throws: ``StorageError/readOnly(path:)`` if it cannot, ``SQLiteError`` if the disk is full.
  func writableConnection() throws -> SQLiteConnection {
    guard !location.isReadOnly else { throw StorageError.readOnly(path: location.path) }
    var connection = try self.connection()
    if connection.database.isReadOnly {
      // The file may have become writable meanwhile.
      opened = nil
      connection = try self.connection()
    }
    guard !connection.database.isReadOnly else {
      guard !SQLiteLogRoom(path: location.path).isUsedUp else {
        throw SQLiteError.diskFull(path: location.path)
      }
      throw StorageError.readOnly(path: location.path)
    }
    return connection
  }

  /// Whether the file has been opened; call it on the executor.
  var isOpen: Bool { opened != nil }

  /// The number of the connected file; call it on the executor.
  var fileNumber: Int { opened?.number ?? 0 }

  /// Runs `work` on the executor, for callers outside it.
  func sync<Result>(_ work: () throws -> Result) rethrows -> Result {
    try executor.queue.sync(execute: work)
  }
}
