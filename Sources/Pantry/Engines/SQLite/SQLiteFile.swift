internal import Synchronization

/// What the engines of this process on one database file share.
final class SQLiteFile: Sendable {
  let location: SQLiteLocation
  let liveAttachments: LiveAttachments
  let attachments: AttachmentReader
  let checkpointer: Checkpointer
  /// Held from taking a snapshot to noting what the transaction freed, and while a snapshot is let
  /// go, so that the transactions of two engines do not take each other's snapshot.
  let freeing = Mutex(())

  private init(_ location: SQLiteLocation) {
    let live = LiveAttachments()
    self.location = location
    liveAttachments = live
    attachments = AttachmentReader(location, live: live)
    checkpointer = Checkpointer(location)
  }

  /// Returns the one object for the file called `filename` in `directory`.
  static func named(_ filename: String, in directory: StorageDirectory) -> SQLiteFile {
    let location = SQLiteLocation(filename, in: directory)
    return known.withLock { known in
      if let file = known[location.path]?.file { return file }
      let file = SQLiteFile(location)
      known = known.filter { $0.value.file != nil }
      known[location.path] = WeakFile(file: file)
      return file
    }
  }

  private struct WeakFile {
    weak var file: SQLiteFile?
  }

  private static let known = Mutex<[String: WeakFile]>([:])
}
