/// The content of a list in memory, updated on access as far as its rows have changed.
struct KeyListContent {
  private(set) var row: KeyListRow?
  private(set) var pages: [KeyListPage] = []
  private(set) var count = 0
  private var lastNumber = 0
  /// All identifiers in order, once requested.
  private var joined: [String]?
  /// The page number of each identifier, once requested.
  private var pageNumbers: [CacheKey: Int]?

  /// Updates the content to the rows of the list.
  ///
  /// - Complexity: O(identifiers of the changed pages); O(number of pages) too if pages were added
  ///   or removed, or if more than one change was made since the last update.
  mutating func update(to new: KeyListRow?, page content: (String) -> KeyListRow?) {
    guard new != row else { return }
    if let new, let former = new.former, former == row?.edition, let changed = new.changed {
      let places = changed.compactMap { name in pages.firstIndex { $0.name == name } }
      let contents = changed.compactMap(content)
      if places.count == changed.count, contents.count == changed.count {
        row = new
        return replace(places, by: contents.map(\.ids))
      }
    }
    row = new
    var former = Dictionary(pages.map { ($0.name, $0) }) { first, _ in first }
    var gone: [KeyListPage] = []
    var come: [KeyListPage] = []
    let names = new.map { new in new.index.map { content($0)?.ids ?? [] } ?? [new.name] } ?? []
    let old = pages
    pages = names.map { name in
      let ids = new?.index == nil ? new?.ids : content(name)?.ids
      if let page = former.removeValue(forKey: name) {
        if let ids, !page.isMissing, page.ids.hasSameBytes(as: ids) { return page }
        gone.append(page)
      }
      lastNumber += 1
      let page = KeyListPage(
        name: name, number: lastNumber, ids: ids ?? [], isMissing: ids == nil)
      come.append(page)
      return page
    }
    gone += former.values
    for page in gone { count -= page.ids.count }
    for page in come { count += page.ids.count }
    join(after: old)
    // All removals before the additions: an identifier may have moved between pages.
    for page in gone { for id in page.ids { pageNumbers?[CacheKey(verbatim: id)] = nil } }
    for page in come { note(page) }
  }

  /// Replaces the identifiers of some pages.
  private mutating func replace(_ places: [Int], by contents: [[String]]) {
    for (place, ids) in zip(places, contents) {
      let old = pages[place].ids
      if joined != nil {
        let start = pages[..<place].reduce(0) { $0 + $1.ids.count }
        joined?.replaceSubrange(start..<start + old.count, with: ids)
      }
      for id in old { pageNumbers?[CacheKey(verbatim: id)] = nil }
      count += ids.count - old.count
      lastNumber += 1
      pages[place] = KeyListPage(name: pages[place].name, number: lastNumber, ids: ids)
    }
    // After all removals: an identifier may have moved between pages.
    for place in places { note(pages[place]) }
  }

  private mutating func note(_ page: KeyListPage) {
    guard pageNumbers != nil else { return }
    for id in page.ids { pageNumbers?[CacheKey(verbatim: id)] = page.number }
  }

  /// Updates the joined identifiers, if no page was added or removed.
  private mutating func join(after former: [KeyListPage]) {
    guard joined != nil else { return }
    guard former.count == pages.count, zip(former, pages).allSatisfy({ $0.name == $1.name }) else {
      joined = nil
      return
    }
    var start = 0
    for (old, new) in zip(former, pages) {
      if old.number != new.number {
        joined?.replaceSubrange(start..<start + old.ids.count, with: new.ids)
      }
      start += new.ids.count
    }
  }

  /// The identifiers in order.
  ///
  /// - Complexity: O(1); O(n) the first time, and after a page was added or removed.
  var ids: [String] {
    mutating get {
      if let joined { return joined }
      let ids = pages.count == 1 ? pages[0].ids : Array(pages.lazy.map(\.ids).joined())
      joined = ids
      return ids
    }
  }

  /// The number of the page that contains an identifier.
  ///
  /// - Complexity: O(1); O(n) the first time.
  mutating func pageNumber(_ key: CacheKey) -> Int? {
    if pageNumbers == nil {
      pageNumbers = Dictionary(minimumCapacity: count)
      for page in pages { note(page) }
    }
    return pageNumbers?[key]
  }
}
