internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// Checks the write-ahead log beside a database before SQLite opens it.
///
/// SQLite plays back any existing log (https://sqlite.org/howtocorrupt.html, "Mispairing database
/// files and hot journals"): the log of another database destroys this one.
enum SQLiteLog {
  /// Throws if the log cannot be the file's own, or if the file was cut short.
  ///
  /// A log is foreign if its page size differs, or if the file is empty. A file was cut short if it
  /// has no log and no rollback journal, and ends in the middle of a page.
  ///
  /// A foreign log with the same page size cannot be detected here; the check of the schema reads
  /// through it.
  ///
  /// - Parameter database: a connection before its first read.
  static func requireOwnLog(of database: Database) throws {
    // The log first: the creator of a file writes its first page before its log.
    let log = pageSize(ofLog: database.path + "-wal")
    let (head, fileSize) = try database.bytes(18)
    guard fileSize > 0 || log == nil else {
      throw StorageError.damagedFile(
        path: database.path, reason: "it is empty, and its write-ahead log is not")
    }
    // SQLite itself reports a file that is not a database.
    guard head.starts(with: Array("SQLite format 3\0".utf8)) else { return }
    // https://sqlite.org/fileformat2.html#page_size
    let code = integer(head[16..<18])
    let size = code == 1 ? 65_536 : code
    guard let log else {
      // SQLite would notice only when reading that page. A rollback journal is of the file's first
      // pages, before there is a log: SQLite plays it back after a power failure.
      guard
        size == 0 || fileSize % size == 0 || !FileIdentity.isAbsent(database.path + "-journal")
      else {
        throw StorageError.damagedFile(
          path: database.path, reason: "it was cut short in the middle of a page")
      }
      return
    }
    guard log == size else {
      throw StorageError.damagedFile(
        path: database.path, reason: "the write-ahead log beside it belongs to another database")
    }
  }

  /// Moves aside a log whose database is gone, so that it is neither played back nor lost.
  ///
  /// - Throws: ``StorageError`` if it cannot be moved; then it stays where it is.
  static func setStrayLogAside(at location: SQLiteLocation) throws {
    if pageSize(ofLog: location.logPath) != nil {
      // A unique name, since an earlier stray log stays.
      let name = "\(location.logPath).stray-\(UUID().uuidString.prefix(8))"
      guard rename(location.logPath, name) == 0 else {
        throw StorageError.cannotCreate(path: name, reason: SystemError(code: errno).description)
      }
    } else {
      unlink(location.logPath)
    }
    unlink(location.logIndexPath)
  }

  /// Returns whether a log has frames: changes that the database may lack.
  ///
  /// Current frames have the salt of the log's header
  /// (https://sqlite.org/fileformat2.html#walformat).
  static func hasFrames(at path: String) -> Bool {
    guard pageSize(ofLog: path) != nil else { return false }
    let descriptor = Descriptors.open(path, O_RDONLY)
    // An unreadable log may have some.
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 56)
    return pread(descriptor, &bytes, 56, 0) == 56 && bytes[16..<24] == bytes[40..<48]
  }

  /// The page size of a log (https://sqlite.org/fileformat2.html#walformat); nil if it has no
  /// pages.
  private static func pageSize(ofLog path: String) -> Int? {
    let descriptor = Descriptors.open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    var head = [UInt8](repeating: 0, count: 32)
    guard pread(descriptor, &head, 32, 0) == 32, fstat(descriptor, &status) == 0,
      integer(head[0..<4]) & 0xFFFF_FFFE == 0x377F_0682
    else { return nil }
    let size = integer(head[8..<12])
    return Int(status.st_size) >= 32 + 24 + size ? size : nil
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
