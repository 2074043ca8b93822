internal import FoundationEssentials
internal import Glibc

/// Room in the write-ahead log for the commits to come.
///
/// A file that grows at each flush has to write down its new length too. So the log gets zeros at its
/// end once somebody goes on writing; SQLite takes them for what they are, no frames
/// (https://sqlite.org/fileformat2.html#walformat). The last process to close gives the room back, and
/// so does one that meets a full disk: then the log can be copied into the file, and begins anew.
struct SQLiteLogRoom {
  /// After so many commits there will likely be more.
  static let commitsBefore = 4
  /// Less than this is left on a disk that is nearly full, in bytes.
  private static let littleRoom = 64 << 20
  /// How much is written while others wait.
  private static let chunk = 256 << 10

  let path: String
  private var logPath: String { path + "-wal" }

  /// Whether the disk is nearly full, so that the log is to stay short.
  var isScarce: Bool {
    var system = statvfs()
    guard statvfs(path, &system) == 0 else { return false }
    return Int(system.f_bavail) * Int(system.f_frsize) < Self.littleRoom
  }

  /// How long the log becomes: room for some 160 commits of one item between two of its beginnings.
  private var byteCount: off_t { isScarce ? 512 << 10 : 4 << 20 }

  /// Writes a piece of the room; call it on the queue of the connection, until it returns false.
  ///
  /// - Returns: whether there is more to write.
  func extend(_ connection: SQLiteConnection) throws -> Bool {
    try withLog(of: connection) { log, size in
      let rest = Int(byteCount - size)
      guard rest > 0 else { return false }
      let zeros = [UInt8](repeating: 0, count: min(Self.chunk, rest))
      return pwrite(log, zeros, zeros.count, size) == zeros.count
    }
  }

  /// Gives the room back that has not been used.
  func giveBack(_ connection: SQLiteConnection) throws {
    let page = off_t(try connection.database.integer("PRAGMA page_size") ?? 0)
    _ = try withLog(of: connection) { log, size in
      let used = Self.lengthWithoutZeros(log, size)
      // The last frame may end in zeros too.
      let (head, frame) = (off_t(32), 24 + page)
      let frames = max(0, used - head + frame - 1) / frame
      return ftruncate(log, min(size, head + frames * frame)) == 0
    }
  }

  /// Has the room on the disk, so that no commit has to wait for that.
  func flush() {
    let log = open(logPath, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard log >= 0 else { return }
    _ = fdatasync(log)
    close(log)
  }

  /// Runs `body` with the log while nobody can write to it, which is what SQLite's lock is for.
  ///
  /// No lock of SQLite's is on this file, so that another descriptor of it may be closed
  /// (https://sqlite.org/howtocorrupt.html).
  private func withLog(
    of connection: SQLiteConnection, _ body: (_ log: Int32, _ size: off_t) -> Bool
  ) throws -> Bool {
    try connection.requireLog()
    return try connection.database.write {
      let log = open(logPath, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      defer { if log >= 0 { close(log) } }
      var status = stat()
      guard log >= 0, fstat(log, &status) == 0, status.st_size > 0 else { return false }
      return body(log, status.st_size)
    }
  }

  /// How many bytes there are up to the last one that is not zero.
  private static func lengthWithoutZeros(_ file: Int32, _ size: off_t) -> off_t {
    var end = size
    var buffer = [UInt8](repeating: 0, count: chunk)
    while end > 0 {
      let start = max(0, end - off_t(chunk))
      let count = pread(file, &buffer, Int(end - start), start)
      guard count == Int(end - start) else { return size }
      if let last = buffer[..<count].lastIndex(where: { $0 != 0 }) { return start + off_t(last) + 1 }
      end = start
    }
    return 0
  }
}
