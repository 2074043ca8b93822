internal import Dispatch
internal import SystemSupport

/// The state that the engines of this process on one database file share.
final class SQLiteFile: Sendable {
  let location: SQLiteLocation
  let liveAttachments: AttachmentsInUse
  let attachments: AttachmentReader
  let writer: SQLiteWriter
  let sweeper: AttachmentSweeper
  let checkpointer: Checkpointer
  let succession: SQLiteSuccession
  let followers = StorageFollowers()
  let watcher: SQLiteWatcher
  let notifyFile: SQLiteNotifyFile

  private init(_ location: SQLiteLocation, polls: Bool) {
    let live = AttachmentsInUse()
    let succession = SQLiteSuccession(location)
    self.location = location
    self.succession = succession
    liveAttachments = live
    attachments = AttachmentReader(location, succession: succession)
    notifyFile = SQLiteNotifyFile(of: location)
    writer = SQLiteWriter(
      location, succession: succession, attachments: attachments, notifyFile: notifyFile)
    sweeper = AttachmentSweeper(writer: writer, notifyFile: notifyFile, live: live)
    checkpointer = Checkpointer(location, writer: writer, sweeper: sweeper)
    watcher = SQLiteWatcher(
      location, succession: succession, writer: writer, notifyFile: notifyFile,
      followers: followers, polls: polls)
    writer.hasReopened = { [weak watcher] in watcher?.scheduleCheck() }
  }

  /// Returns the shared object for the file called `filename` in `directory`.
  ///
  /// - Parameters:
  ///   - isReadOnly: whether nothing is written; read-only engines share a separate object.
  ///   - patience: how long a new connection waits for the locks of others, in milliseconds; the
  ///     first caller decides.
  ///   - polls: whether to poll twice a second, as for a directory that cannot be watched; the
  ///     first caller decides.
  static func named(
    _ filename: String, in directory: StorageDirectory, isReadOnly: Bool = false,
    patience: Int32 = Database.patience, polls: Bool = false
  ) -> SQLiteFile {
    let location = SQLiteLocation(
      filename, in: directory, isReadOnly: isReadOnly, patience: patience)
    let files = ProcessContext.current.object { SQLiteFiles() }
    return files.file(location) { SQLiteFile(location, polls: polls) }
  }

  /// Empties the log if no other process has the file open, without the writer's queue.
  ///
  /// The queue may never continue. The next process that opens the file reads a log that is left.
  fileprivate func emptyLogAtExit() {
    guard !location.isReadOnly, notifyFile.isAlone, succession.hasOwnLog else { return }
    // A checkpoint of another thread may be under way.
    var wait = LockWait(patience: .milliseconds(500))
    while let log = FileStamp(path: location.logPath), log.byteCount > 0 {
      try? location.openAnother(waits: false).emptyLog()  // tried again below
      if !wait.pass() { return }
    }
  }
}

final class SQLiteFiles: Sendable {
  private struct Name: Hashable {
    /// See ``FileLocation/canonicalPath``.
    let path: [UInt8]
    let isReadOnly: Bool
  }

  private struct WeakFile {
    weak var file: SQLiteFile?
    /// Is empty once the file has been closed.
    let closing: DispatchGroup

    var isClosed: Bool { closing.wait(timeout: .now()) == .success }
  }

  private let known = Lock<[Name: WeakFile]>([:])

  private let isEmptiedAtExit = Lock(false)

  /// Empties the logs of all files when the process ends.
  func emptyLogsAtExit() {
    let isFirst = isEmptiedAtExit.withLock { isEmptied in
      defer { isEmptied = true }
      return !isEmptied
    }
    guard isFirst else { return }
    ProcessContext.current.services.atExit { [weak self] in self?.emptyLogs() }
  }

  /// Returns the object for the file at a location, created with `make` unless there is one.
  func file(_ location: SQLiteLocation, make: () -> SQLiteFile) -> SQLiteFile {
    let name = Name(path: location.place.canonicalPath, isReadOnly: location.isReadOnly)
    return known.withLock { known in
      if let file = known[name]?.file { return file }
      let file = make()
      known = known.filter { $0.value.file != nil || !$0.value.isClosed }
      known[name] = WeakFile(file: file, closing: file.writer.closing)
      return file
    }
  }

  private func emptyLogs() {
    for entry in known.withLock({ Array($0.values) }) {
      if let file = entry.file {
        file.emptyLogAtExit()
      } else {
        // Another thread has released it just now, and may not have emptied the log yet.
        _ = entry.closing.wait(timeout: .now() + .milliseconds(500))
      }
    }
  }
}
