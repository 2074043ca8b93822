internal import FoundationEssentials

/// Some identifiers of a list, which are one row on disk.
struct KeyListPage {
  /// What it is called on disk; a short list's only page has the list's name.
  let name: String
  /// Tells pages apart in memory.
  let number: Int
  var ids: [String]
  /// Whether the row is absent or cannot be read: it is left alone, in its place.
  var isMissing = false

  func isSame(as other: KeyListPage) -> Bool {
    number == other.number && ids.hasSameBytes(as: other.ids)
  }
}

/// The pages of a list while it is changed.
struct KeyListPages {
  /// How many identifiers a new page has; one that has twice as many is split.
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

  /// Where the identifier at `index` is; beyond the end, the end.
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

  /// Takes identifiers out.
  ///
  /// - Parameters:
  ///   - keys: the identifiers, by the numbers of the pages that they are in.
  ///   - place: a place to move along with what is before it.
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

  /// Puts identifiers that are in no page at a place.
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

  /// Splits pages that are too long, and takes out those that are empty.
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
