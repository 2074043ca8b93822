/// The cells of one page of a b-tree (https://sqlite.org/fileformat2.html#b_tree_pages).
struct SQLitePage {
  /// A row, or an entry of an index.
  struct Cell {
    /// The number of the row; 0 for an entry of an index.
    let row: Int64
    let byteCount: Int
    /// The part of the record on this page.
    let local: ArraySlice<UInt8>
    /// The page with the next part; 0 if there is none.
    let overflow: Int
    /// The number of bytes that it takes on its page.
    var size = 0
  }

  private enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case index = 10
    case table = 13
  }

  /// SQLite's limit for a row, in bytes.
  private static let limit: UInt64 = 1_000_000_000

  private let bytes: [UInt8]
  /// The offset of the page's header: after the file's header on the first page.
  private let start: Int

  init(_ bytes: [UInt8], number: Int) {
    self.bytes = bytes
    start = number == 1 ? 100 : 0
  }

  private var kind: Kind? { Kind(rawValue: bytes[start]) }

  private var cellCount: Int { bytes[start + 3..<start + 5].bigEndian }

  /// Whether it looks like a page with rows.
  var isPlausible: Bool {
    let content = bytes[start + 5..<start + 7].bigEndian
    return kind == .table && cellCount > 0 && content >= start + 8 + 2 * cellCount
      && content < bytes.count && !rows(among: 0).isEmpty
  }

  /// The rows on a page of a table; also those found by their shape if its header is damaged.
  ///
  /// - Parameter count: the number of pages.
  func rows(among count: Int) -> [Cell] {
    switch kind {
    case .table:
      let cells = pointers.compactMap { cell(at: $0, isRow: true) }
      return areComplete(cells) ? cells : shaped + cells
    // A flipped bit makes a page of rows an interior one, and of that a page of rows.
    case .tableInterior:
      // A true one still has rows from before its table grew. Of a page of rows, the places of the
      // first two would be the number of the last page below it.
      let last = bytes[start + 8..<start + 12].bigEndian
      return last >= 2 && last <= max(count, 8 << 16) ? [] : shaped
    case nil where bytes[start] != 0: return shaped
    default: return []
    }
  }

  private var shaped: [Cell] { candidates().compactMap { cell(at: $0, isRow: true) } }

  /// Whether cells and the free space among them fill the content of the page.
  private func areComplete(_ cells: [Cell]) -> Bool {
    guard cells.count == cellCount else { return false }
    let content = bytes[start + 5..<start + 7].bigEndian
    let fragments = Int(bytes[start + 7])
    var rest = bytes.count - (content == 0 ? 65_536 : content) - fragments
    for cell in cells { rest -= max(4, cell.size) }
    var block = bytes[start + 1..<start + 3].bigEndian
    while block != 0, rest > 0, block <= bytes.count - 4 {
      rest -= max(1, bytes[block + 2..<block + 4].bigEndian)
      block = bytes[block..<block + 2].bigEndian
    }
    return rest == 0 && block == 0
  }

  /// The entries on a page of an index.
  var entries: [Cell] {
    switch kind {
    case .index: pointers.compactMap { cell(at: $0, isRow: false) }
    // An entry on an interior page follows the number of a page.
    case .indexInterior: pointers.compactMap { cell(at: $0 + 4, isRow: false) }
    default: []
    }
  }

  private var pointers: some Sequence<Int> {
    let isInterior = kind == .indexInterior || kind == .tableInterior
    let first = start + (isInterior ? 12 : 8)
    let count = min(cellCount, (bytes.count - first) / 2)
    return (0..<count).lazy.map { bytes[first + 2 * $0..<first + 2 * $0 + 2].bigEndian }
  }

  /// The places where a row may begin on a page without a valid header.
  ///
  /// A page of a picture begins with zero, the highest byte of the next page's number.
  private func candidates() -> [Int] {
    // A record begins with its few columns, of which the first is NULL in all tables. The sizes
    // before it take at most 12 bytes.
    let records = (start + 10..<bytes.count - 4).lazy.filter { [bytes] in
      bytes[$0 + 1] == 0 && (3...16).contains(bytes[$0])
    }
    return records.flatMap { [start] in max(start + 8, $0 - 12)..<$0 - 1 }
  }

  private func cell(at offset: Int, isRow: Bool) -> Cell? {
    guard offset >= start + 8, offset < bytes.count else { return nil }
    var rest = bytes[offset...]
    guard let size = rest.takeVarint(), size > 0, size < Self.limit else { return nil }
    var row: Int64 = 0
    if isRow {
      guard let number = rest.takeVarint() else { return nil }
      row = Int64(bitPattern: number)
    }
    let byteCount = Int(size)
    let localSize = localSize(of: byteCount, isRow: isRow)
    guard rest.count >= localSize + (localSize < byteCount ? 4 : 0) else { return nil }
    let local = rest.prefix(localSize)
    let overflow =
      localSize < byteCount ? bytes[local.endIndex..<local.endIndex + 4].bigEndian : 0
    return Cell(
      row: row, byteCount: byteCount, local: local, overflow: overflow,
      size: local.endIndex - offset + (localSize < byteCount ? 4 : 0))
  }

  /// The number of bytes that a record keeps on the page itself.
  private func localSize(of byteCount: Int, isRow: Bool) -> Int {
    let usable = bytes.count
    let maximum = isRow ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard byteCount > maximum else { return byteCount }
    let minimum = (usable - 12) * 32 / 255 - 23
    let size = minimum + (byteCount - minimum) % (usable - 4)
    return size <= maximum ? size : minimum
  }
}

extension SQLitePages {
  /// Returns a cell's whole record; nil if its chain of pages is damaged.
  func record(_ cell: SQLitePage.Cell) throws -> ArraySlice<UInt8>? {
    guard cell.overflow != 0 else { return cell.local }
    var bytes = Array(cell.local)
    bytes.reserveCapacity(min(cell.byteCount, count * size))
    var next = cell.overflow
    while bytes.count < cell.byteCount {
      // A chain that turns back ends here too, since its bytes are counted.
      guard next >= 2, next <= count else { return nil }
      let page = try page(next)
      bytes += page[4...].prefix(cell.byteCount - bytes.count)
      next = page[0..<4].bigEndian
    }
    return bytes[...]
  }
}
