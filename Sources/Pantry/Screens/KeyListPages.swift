internal import FoundationEssentials

/// Consecutive identifiers of a list, stored as one row.
struct KeyListPage {
  /// The name on disk; the only page of a short list has the list's name.
  let name: String
  /// Identifies the page in memory.
  let number: Int
  var ids: [String]
  /// Whether the row is absent or unreadable: it is left alone, in its place.
  var isMissing = false

  func isSame(as other: KeyListPage) -> Bool {
    number == other.number && ids.hasSameBytes(as: other.ids)
  }
}

/// The pages of a list during a change.
struct KeyListPages {
  /// The number of identifiers of a new page; a page of twice as many is split.
  static let pageSize = 256

  private(set) var pages: [KeyListPage]
  private var nextNumber: Int

  init(_ pages: [KeyListPage]) {
    self.pages = pages
    nextNumber = (pages.map(\.number).max() ?? 0) + 1
  }

  /// A place between two identifiers.
  struct Place {
    var page: Int
    var offset: Int
  }

  /// The place of the identifier at `index`, or the end.
  ///
  /// - Complexity: O(number of pages).
  func place(at index: Int) -> Place {
    var offset = max(index, 0)
    for (page, content) in pages.enumerated() {
      if offset < content.ids.count { return Place(page: page, offset: offset) }
      offset -= content.ids.count
    }
    return Place(page: max(pages.count - 1, 0), offset: pages.last?.ids.count ?? 0)
  }

  /// Removes identifiers.
  ///
  /// - Parameters:
  ///   - keys: the identifiers, by page number.
  ///   - place: a place to adjust for removals before it.
  mutating func remove(_ keys: [Int: Set<CacheKey>], keeping place: inout Place) {
    guard !keys.isEmpty else { return }
    for page in pages.indices {
      guard let gone = keys[pages[page].number] else { continue }
      var kept: [String] = []
      kept.reserveCapacity(pages[page].ids.count)
      let former = place.offset
      for (offset, id) in pages[page].ids.enumerated() {
        if !gone.contains(CacheKey(verbatim: id)) {
          kept.append(id)
        } else if page == place.page, offset < former {
          place.offset -= 1
        }
      }
      pages[page].ids = kept
    }
  }

  /// Inserts identifiers that are in no page at a place.
  mutating func insert(_ ids: [String], at place: Place) {
    guard !ids.isEmpty else { return }
    if pages.isEmpty {
      pages.append(page(ids))
    } else if pages[place.page].isMissing {
      pages.insert(page(ids), at: place.page + 1)
    } else {
      pages[place.page].ids.insert(contentsOf: ids, at: place.offset)
    }
  }

  /// Splits pages that are too long, and removes empty ones.
  mutating func balance() {
    var balanced: [KeyListPage] = []
    balanced.reserveCapacity(pages.count)
    for former in pages where former.isMissing || !former.ids.isEmpty {
      let ids = former.ids
      guard ids.count > 2 * Self.pageSize else {
        balanced.append(former)
        continue
      }
      let parts = ids.count / Self.pageSize
      for part in 0..<parts {
        let range = ids.count * part / parts..<ids.count * (part + 1) / parts
        if part == 0 {
          balanced.append(former)
          balanced[balanced.count - 1].ids = Array(ids[range])
        } else {
          balanced.append(page(Array(ids[range])))
        }
      }
    }
    pages = balanced
  }

  private mutating func page(_ ids: [String]) -> KeyListPage {
    defer { nextNumber += 1 }
    return KeyListPage(name: UUID().uuidString, number: nextNumber, ids: ids)
  }
}
