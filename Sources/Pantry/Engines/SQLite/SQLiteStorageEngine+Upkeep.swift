internal import Dispatch
public import FoundationEssentials

extension SQLiteStorageEngine {
  /// Copies the whole file as of one moment, with all namespaces and attachments, to `url`.
  ///
  /// Other calls, and other processes, go on meanwhile. The copy has mode 0600, no log beside it,
  /// and its name only when it is complete and on the disk: one that is there is replaced then. It
  /// needs as much room as the file holds, and its parent directory must be there.
  ///
  /// To restore it, end the programs that use the file and move the copy to its place, or move it
  /// there while they run: their stores then show what is in it.
  ///
  /// - Throws: ``StorageError/cannotCreate(path:reason:)`` or ``SQLiteError``; then a former copy
  ///   is as it was.
  /// - Complexity: O(n) in the size of the file; a few hundred megabytes take a second.
  public nonisolated func backup(to url: URL) async throws {
    let path = url.standardizedFileURL.path(percentEncoded: false)
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global(qos: .utility).async { [file] in
        continuation.resume(
          with: Result { try SQLiteBackup.make(of: file.location.openAnother(), at: path) })
      }
    }
  }

  /// Gives the room of what was removed back to the file system.
  ///
  /// SQLite uses the room again by itself, so that this is only worth its time after much was
  /// removed for good. It writes the file anew: all calls on it wait, those of other processes for
  /// 5 seconds, and as much room as it holds must be free, twice.
  ///
  /// - Throws: ``SQLiteError``; then the file is as it was.
  /// - Complexity: O(n) in the size of the file.
  public func compact() async throws {
    let database = try file.writer.writableConnection().database
    try file.succession.requireFile()
    try database.compact()
    await emptyLog()
  }
}
