internal import FoundationEssentials

/// The rows on all pages of a database, found by their shape without its schema.
struct PageScan {
  /// The newest state of each row.
  private(set) var rows: [RowName: SalvagedRow] = [:]
  /// The rows that the pages of an index name.
  private(set) var names: Set<RowName> = []
  private(set) var changes: [RowName: Int64] = [:]
  private(set) var namespaces: [Int64: SalvagedNamespace] = [:]
  /// Whether the rows that were removed are known to be left out.
  let knowsFreePages: Bool
  private var attachments: [ContentDigest: SQLitePage.Cell] = [:]
  private let pages: SQLitePages

  /// Reads all pages.
  ///
  /// - Complexity: O(n) in the size of the file; of attachments, the beginning is read.
  init(_ pages: SQLitePages) throws {
    self.pages = pages
    let free = try pages.freePages()
    knowsFreePages = free != nil
    guard pages.count > 0 else { return }
    for number in 1...pages.count where free?.contains(number) != true {
      let page = SQLitePage(try pages.page(number), number: number)
      for cell in page.rows(among: pages.count) { try take(row: cell) }
      for cell in page.entries { try take(entry: cell) }
    }
  }

  /// Reads the bytes of an attachment; nil if they are damaged, or were not found.
  func bytes(of digest: ContentDigest) throws -> Data? {
    guard let cell = attachments[digest], let record = try pages.record(cell),
      case .blob(let bytes)? = SQLiteRecord(record)?.value(3, in: record)
    else { return nil }
    let data = Data(bytes)
    return ContentDigest(of: data) == digest ? data : nil
  }

  private mutating func take(row cell: SQLitePage.Cell) throws {
    guard let record = SQLiteRecord(cell.local), record.byteCount == cell.byteCount else { return }
    let kinds = record.kinds
    // The number of a row is not in its record: there is NULL in its place.
    guard kinds.first == .null else { return }
    switch kinds.dropFirst().first {
    case .integer where kinds.count == 6: try take(item: record, cell)
    case .integer where kinds.count == 3:
      guard let whole = try pages.record(cell), let namespace = record.integer(1, in: whole)
      else { return }
      let key = record.text(2, in: whole)
      guard key != nil || kinds[2] == .null else { return }
      let name =
        key.map { RowName(namespace: namespace, key: Array($0.utf8)) }
        ?? .all(of: namespace)
      changes[name] = max(changes[name] ?? 0, cell.row)
    // Later versions add columns at the end.
    case .text where kinds.count >= 2: take(namespace: record, cell)
    case .blob where kinds.count == 4:
      guard kinds[2] == .integer, kinds[3] == .blob,
        case .blob(let bytes)? = record.value(1, in: cell.local),
        let digest = ContentDigest(bytes: bytes)
      else { return }
      // A copy of the part, without the rest of its page.
      attachments[digest] = SQLitePage.Cell(
        row: cell.row, byteCount: cell.byteCount, local: Array(cell.local)[...],
        overflow: cell.overflow)
    default: return
    }
  }

  private mutating func take(item record: SQLiteRecord, _ cell: SQLitePage.Cell) throws {
    let kinds = record.kinds
    guard kinds[2] == .text, kinds[3] == .text || kinds[3] == .blob,
      let whole = try pages.record(cell), let namespace = record.integer(1, in: whole),
      let key = record.text(2, in: whole), let data = record.data(3, in: whole),
      let created = record.number(4, in: whole), let updated = record.number(5, in: whole)
    else { return }
    let row = SalvagedRow(
      namespace: namespace, number: cell.row, key: Array(key.utf8), data: data,
      created: created, updated: updated, isDamaged: kinds[3] == .text && !data.isReadableText)
    if let other = rows[row.name], other.updated >= updated { return }
    rows[row.name] = row
  }

  private mutating func take(namespace record: SQLiteRecord, _ cell: SQLitePage.Cell) {
    guard cell.row > 0, let name = record.text(1, in: cell.local) else { return }
    let count = record.kinds.count
    namespaces[cell.row] = SalvagedNamespace(
      name: name, type: count > 2 ? record.text(2, in: cell.local) : nil,
      lastItem: count > 3 ? record.integer(3, in: cell.local) ?? 0 : 0)
  }

  private mutating func take(entry cell: SQLitePage.Cell) throws {
    guard let record = SQLiteRecord(cell.local), record.byteCount == cell.byteCount,
      record.kinds == [.integer, .text, .integer], let whole = try pages.record(cell),
      let namespace = record.integer(0, in: whole), let key = record.text(1, in: whole)
    else { return }
    names.insert(RowName(namespace: namespace, key: Array(key.utf8)))
  }
}

extension SQLiteRecord {
  fileprivate func integer(_ column: Int, in bytes: ArraySlice<UInt8>) -> Int64? {
    if case .integer(let integer)? = value(column, in: bytes) { integer } else { nil }
  }

  /// A time, which SQLite stores as an integer if it has no fraction.
  fileprivate func number(_ column: Int, in bytes: ArraySlice<UInt8>) -> Double? {
    switch value(column, in: bytes) {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    default: nil
    }
  }

  fileprivate func text(_ column: Int, in bytes: ArraySlice<UInt8>) -> String? {
    if case .text(let text)? = value(column, in: bytes) {
      String(validating: text, as: UTF8.self)
    } else {
      nil
    }
  }

  fileprivate func data(_ column: Int, in bytes: ArraySlice<UInt8>) -> Data? {
    switch value(column, in: bytes) {
    case .text(let bytes), .blob(let bytes): Data(bytes)
    default: nil
    }
  }
}
