/// The pages of a database with those of its log, read without SQLite.
///
/// The format is documented at https://sqlite.org/fileformat2.html.
struct SQLitePages {
  /// The page size of Pantry's files, and that of SQLite's defaults.
  private static let usualSizes = [8_192, 4_096]

  let size: Int
  let count: Int
  private let file: Database
  private let log: SQLiteLogFrames?

  /// - Parameters:
  ///   - file: a connection to the file, which may be no database.
  ///   - log: the frames of its log, which are left out if their pages have another size.
  init(_ file: Database, log: SQLiteLogFrames?) throws {
    let (head, byteCount) = try file.bytes(100)
    let own = Self.size(in: head)
    let log = log.flatMap { own == nil || own == $0.pageSize ? $0 : nil }
    let size = own ?? log?.pageSize ?? Self.usualSize(file, byteCount)
    self.file = file
    self.log = log
    self.size = size
    count = max((byteCount + size - 1) / size, log?.pageCount ?? 0)
  }

  /// Returns the content of a page, the first being 1.
  func page(_ number: Int) throws -> [UInt8] {
    if let page = log?.page(number) { return page }
    return try file.bytes(size, at: (number - 1) * size).bytes
  }

  /// The pages without content; nil if their list is damaged.
  ///
  /// They still have the rows that were removed from them.
  func freePages() throws -> Set<Int>? {
    let head = try page(1)[0..<100]
    guard Self.size(in: Array(head)) == size else { return nil }
    var free: Set<Int> = []
    var next = head[32..<36].bigEndian
    while next != 0 {
      guard next >= 2, next <= count, free.insert(next).inserted else { return nil }
      let trunk = try page(next)
      let leaves = trunk[4..<8].bigEndian
      guard leaves <= size / 4 - 2 else { return nil }
      for index in 0..<leaves {
        let leaf = trunk[8 + 4 * index..<12 + 4 * index].bigEndian
        guard leaf >= 2, leaf <= count, free.insert(leaf).inserted else { return nil }
      }
      next = trunk[0..<4].bigEndian
    }
    return free.count == head[36..<40].bigEndian ? free : nil
  }

  /// The page size in the header of a file; nil if the header is damaged.
  private static func size(in head: [UInt8]) -> Int? {
    guard head.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
    let code = head[16..<18].bigEndian
    let size = code == 1 ? 65_536 : code
    return (512...65_536).contains(size) && size & (size - 1) == 0 ? size : nil
  }

  /// Guesses the page size from the places where pages with rows begin.
  private static func usualSize(_ file: Database, _ byteCount: Int) -> Int {
    func hits(_ size: Int) -> Int {
      stride(from: size, to: min(byteCount, 8 << 20), by: size).count { offset in
        // A page that cannot be read is no hit.
        guard let page = try? file.bytes(size, at: offset).bytes else { return false }
        return SQLitePage(page, number: 2).isPlausible
      }
    }
    // A page of the larger size often begins where one of the smaller size does.
    return usualSizes.max { hits($0) * $0 < hits($1) * $1 } ?? usualSizes[0]
  }
}
