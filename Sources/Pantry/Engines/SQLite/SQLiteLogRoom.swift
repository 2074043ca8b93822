internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// Preallocated room in the write-ahead log for future commits.
///
/// If a file grows, each flush has to write its new length too. So during continuous writes the log
/// gets zeros at its end, which SQLite does not take for frames
/// (https://sqlite.org/fileformat2.html#walformat). The last process to close gives the room back,
/// and so does one that hits a full disk: then the log can be copied to the file, and restarts.
struct SQLiteLogRoom {
  /// The number of commits after which more are likely.
  static let commitsBefore = 4
  /// A disk with less free space is nearly full, in bytes.
  private static let littleRoom = 64 << 20
  /// The number of bytes written while other calls wait.
  private static let chunk = 256 << 10

  let path: String
  private var logPath: String { path + "-wal" }

  /// Whether the disk is nearly full, so that the log must stay short.
  var isScarce: Bool { freeByteCount < Self.littleRoom }

  /// Whether the disk is writable and has no room for the index of a log.
  var isUsedUp: Bool {
    var system = statvfs()
    guard statvfs(path, &system) == 0, system.f_flag & UInt(ST_RDONLY) == 0 else { return false }
    return freeByteCount < 64 << 10
  }

  /// The free space on the file system, in bytes.
  private var freeByteCount: Int {
    ProcessContext.current.services.freeByteCount(at: path)
  }

  /// The preallocated length: room for some 160 commits of one item between two restarts.
  private var byteCount: off_t { isScarce ? 512 << 10 : 4 << 20 }

  /// Writes one chunk of the room; call it on the connection's queue until it returns false.
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

  func giveBack(_ connection: SQLiteConnection) throws {
    _ = try withLog(of: connection) { log, size in
      ftruncate(log, min(size, Self.usedLength(of: log))) == 0
    }
  }

  /// Flushes the room to the disk, so that no commit has to wait for that.
  func flush() {
    let log = Descriptors.open(logPath, O_WRONLY | O_NOFOLLOW)
    guard log >= 0 else { return }
    _ = fdatasync(log)
    close(log)
  }

  /// Runs `body` with the log, under SQLite's write lock.
  ///
  /// SQLite holds no lock on the log file itself, so another descriptor of it may be closed
  /// (https://sqlite.org/howtocorrupt.html). Between the check of the path and the opening, another
  /// database's log may have appeared; it is left alone.
  private func withLog(
    of connection: SQLiteConnection, _ body: (_ log: Int32, _ size: off_t) -> Bool
  ) throws -> Bool {
    try connection.requireLog()
    return try connection.database.write {
      let log = Descriptors.open(logPath, O_RDWR | O_NOFOLLOW)
      defer { if log >= 0 { close(log) } }
      var status = stat()
      guard log >= 0, fstat(log, &status) == 0, status.st_size > 0,
        connection.log == FileIdentity(status)
      else { return false }
      return body(log, status.st_size)
    }
  }

  /// The length of the log up to its last frame; zeros and old frames may follow.
  ///
  /// Current frames have the salt of the header (https://sqlite.org/fileformat2.html#walformat).
  private static func usedLength(of log: Int32) -> off_t {
    var head = [UInt8](repeating: 0, count: 32)
    guard pread(log, &head, 32, 0) == 32 else { return .max }
    let frameLength = 24 + head[8..<12].reduce(off_t(0)) { $0 << 8 | off_t($1) }
    var length = off_t(32)
    var frame = [UInt8](repeating: 0, count: 24)
    while pread(log, &frame, 24, length) == 24, frame[8..<16] == head[16..<24] {
      length += frameLength
    }
    return length
  }
}
