/// The first 100 bytes of a database, as they are in the file.
enum SQLiteHeader {
  private static let byteCount = 100
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Throws if a field has a value that SQLite gives to no file.
  ///
  /// SQLite takes such a file for a newer format: it only reads it, or refuses it with an error
  /// that does not say that it is damaged
  /// (https://sqlite.org/fileformat2.html#the_database_header).
  static func requirePlausible(of database: Database) throws {
    let (head, fileSize) = try database.bytes(byteCount)
    // SQLite itself reports a file that is not a database, but takes the first bytes of one for an
    // empty one.
    guard fileSize > 0, head.prefix(fileSize).starts(with: magic.prefix(fileSize)) else { return }
    guard fileSize >= byteCount else {
      throw StorageError.damagedFile(
        path: database.path, reason: "only its first bytes are left")
    }
    let schemaFormat = head[44..<48].reduce(0) { $0 << 8 | Int($1) }
    let encoding = head[56..<60].reduce(0) { $0 << 8 | Int($1) }
    guard (1...2).contains(head[18]), (1...2).contains(head[19]), schemaFormat <= 4, encoding <= 3
    else {
      throw StorageError.damagedFile(path: database.path, reason: "its header is invalid")
    }
  }
}
