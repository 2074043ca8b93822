/// The beginning of a database, and the page size of its log, as they are in the files.
struct FileBytes {
  private static let magic = Array("SQLite format 3\0".utf8)

  let path: String
  /// The number of bytes of the file.
  let size: Int
  /// Nil for a log without pages.
  let logPageSize: Int?
  private let head: [UInt8]

  /// - Parameter database: a connection before its first read.
  init(of database: Database) throws {
    path = database.path
    // The log first: the creator of a file writes its first page before its log.
    logPageSize = SQLiteLog.pageSize(ofLog: database.path + "-wal")
    (head, size) = try database.bytes(100)
  }

  /// Whether SQLite takes the file for a database; it reports any other one itself.
  var isDatabase: Bool { head.starts(with: Self.magic) }

  /// Whether it is the first bytes of a database, which SQLite takes for an empty one.
  var isBeginning: Bool {
    size > 0 && size < 100 && head.prefix(size).starts(with: Self.magic.prefix(size))
  }

  /// Whether a field of the header has a value that SQLite gives to no file.
  ///
  /// SQLite takes such a file for a newer format: it only reads it, or refuses it with an error
  /// that does not say that it is damaged
  /// (https://sqlite.org/fileformat2.html#the_database_header).
  var hasInvalidHeader: Bool {
    isDatabase && size >= 100
      && !((1...2).contains(head[18]) && (1...2).contains(head[19])
        && head[44..<48].bigEndian <= 4 && head[56..<60].bigEndian <= 3)
  }

  /// The page size of the file (https://sqlite.org/fileformat2.html#page_size).
  private var pageSize: Int {
    let code = head[16..<18].bigEndian
    return code == 1 ? 65_536 : code
  }

  /// Whether the file is empty, and its log is not.
  var isOnlyLog: Bool { size == 0 && logPageSize != nil }

  /// Whether the log is of another page size, so that it belongs to another database.
  var hasForeignLog: Bool { isDatabase && logPageSize.map { $0 != pageSize } ?? false }

  /// Whether the file has no log, and ends in the middle of a page.
  ///
  /// SQLite would notice only when reading that page. A rollback journal is of the file's first
  /// pages, before there is a log: SQLite plays it back after a power failure.
  var isCutShort: Bool {
    isDatabase && logPageSize == nil && pageSize > 0 && size % pageSize != 0
      && FileIdentity.isAbsent(path + "-journal")
  }
}

extension ArraySlice<UInt8> {
  /// The bytes as an unsigned number, the highest first.
  var bigEndian: Int { reduce(0) { $0 << 8 | Int($1) } }
}
