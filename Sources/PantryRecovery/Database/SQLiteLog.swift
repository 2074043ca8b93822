internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// The write-ahead log beside a database, before SQLite opens it.
///
/// SQLite plays back any existing log (https://sqlite.org/howtocorrupt.html, "Mispairing database
/// files and hot journals"): the log of another database destroys this one.
enum SQLiteLog {
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
  static func pageSize(ofLog path: String) -> Int? {
    let descriptor = Descriptors.open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    var head = [UInt8](repeating: 0, count: 32)
    guard pread(descriptor, &head, 32, 0) == 32, fstat(descriptor, &status) == 0,
      head[0..<4].bigEndian & 0xFFFF_FFFE == 0x377F_0682
    else { return nil }
    let size = head[8..<12].bigEndian
    return Int(status.st_size) >= 32 + 24 + size ? size : nil
  }
}
