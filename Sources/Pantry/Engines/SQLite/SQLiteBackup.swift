internal import FoundationEssentials
internal import Glibc

/// Copies of a database.
enum SQLiteBackup {
  /// Where the copy goes that is made before the schema of the file at `path` is upgraded.
  static func path(of path: String, schema: Int64) -> String {
    "\(path).backup-schema-\(schema)"
  }

  /// Copies the whole database, its log included, with mode 0600, to `path`.
  ///
  /// The copy has its name only when it is complete and on the disk; one that is there is replaced.
  static func make(of database: Database, at path: String) throws {
    let partial = path + ".partial"
    unlink(partial)
    // VACUUM INTO takes an empty file; made here, it is for its owner only.
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw refusal(partial) }
    defer { close(descriptor) }
    do {
      try database.statement("VACUUM INTO ?1").run(.text(partial))
      guard fsync(descriptor) == 0, rename(partial, path) == 0 else { throw refusal(path) }
    } catch {
      unlink(partial)
      throw error
    }
    flushDirectory(of: path)
  }

  /// Sees to it that a loss of power does not take the name.
  private static func flushDirectory(of path: String) {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let directory = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  private static func refusal(_ path: String) -> StorageError {
    .cannotCreate(path: path, reason: SystemError(code: errno).description)
  }
}
