internal import FoundationEssentials
internal import Glibc

/// Room in the write-ahead log for the commits to come.
///
/// A file that grows at each flush has to write down its new length too. So the log gets zeros at its
/// end once somebody goes on writing; SQLite takes them for what they are, no frames
/// (https://sqlite.org/fileformat2.html#walformat). The last process to close gives the room back.
enum SQLiteLogRoom {
  /// After so many commits there will likely be more.
  static let commitsBefore = 4
  /// How long the log becomes: room for some 160 commits of one item between two of its beginnings.
  static let byteCount: off_t = 4 << 20
  /// How much is written while others wait.
  private static let chunk = 256 << 10

  /// Writes a piece of the room; call it on the queue of the connection, until it returns false.
  ///
  /// - Returns: whether there is more to write.
  static func extend(_ connection: SQLiteConnection) throws -> Bool {
    try connection.requireLog()
    // With SQLite's lock nobody else writes to the end of the log. None of its own locks is on this
    // file, so that another descriptor of it may be closed (https://sqlite.org/howtocorrupt.html).
    return try connection.database.write {
      let log = open(connection.database.path + "-wal", O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
      defer { if log >= 0 { close(log) } }
      var status = stat()
      guard log >= 0, fstat(log, &status) == 0, status.st_size > 0, status.st_size < byteCount
      else { return false }
      let count = min(chunk, Int(byteCount - status.st_size))
      let zeros = [UInt8](repeating: 0, count: count)
      return pwrite(log, zeros, count, status.st_size) == count
    }
  }

  /// Has the room on the disk, so that no commit has to wait for that.
  static func flush(_ path: String) {
    let log = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard log >= 0 else { return }
    _ = fdatasync(log)
    close(log)
  }
}
