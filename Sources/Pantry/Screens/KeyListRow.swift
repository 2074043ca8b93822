/// A row of a ``KeyList`` on disk.
///
/// A short list is one row with its name, which holds the identifiers. For a long list, that row
/// names an index row, and the index names the pages in order: rows that hold the identifiers.
/// Index and pages have random names, and a change of any of them gives the list's row a new
/// edition.
struct KeyListRow: Codable, Equatable, Sendable {
  var name: String
  /// Identifiers, or the names of the pages.
  var ids: [String]
  /// The name of the index of a long list.
  var index: String?
  var edition: Int?
  /// The previous edition, if only single pages have changed since, and their names.
  var former: Int?
  var changed: [String]?

  /// The upgrades of the row.
  ///
  /// Version 0 had all identifiers of a list in one row, like a short list. The row stays as it is:
  /// its version keeps a program that does not know pages from overwriting a paged list.
  static let upgrades: [ModelUpgrade] = [.data { $0 }]

  static func == (one: KeyListRow, other: KeyListRow) -> Bool {
    one.name == other.name && one.index == other.index && one.edition == other.edition
      && one.ids.hasSameBytes(as: other.ids)
  }
}

extension [String] {
  /// Whether all bytes are the same: identifiers that are equal to Swift may differ in bytes.
  ///
  /// - Complexity: O(1) for two copies of one array.
  func hasSameBytes(as other: [String]) -> Bool {
    guard count == other.count else { return false }
    let isOneBuffer = withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { one.baseAddress == $0.baseAddress }
    }
    return isOneBuffer
      || elementsEqual(other) { CacheKey(verbatim: $0) == CacheKey(verbatim: $1) }
  }
}
