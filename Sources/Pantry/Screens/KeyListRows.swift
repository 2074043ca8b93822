internal import FoundationEssentials

/// The row changes for a change of a list's pages.
struct KeyListRows {
  /// The rows to write: new pages before the index that names them, and that before the list's row.
  private(set) var written: [KeyListRow] = []
  /// The rows to remove.
  private(set) var removed: [KeyListRow] = []

  /// - Parameters:
  ///   - name: the name of the list.
  ///   - row: the list's row on disk.
  ///   - old: the pages on disk.
  ///   - new: the new pages.
  init(named name: String, row: KeyListRow?, from old: [KeyListPage], to new: [KeyListPage]) {
    let areSamePages =
      old.count == new.count && zip(old, new).allSatisfy { $0.number == $1.number }
    if areSamePages, let row, row.index != nil, !new.isEmpty {
      writeChanged(row, from: old, to: new)
      return
    }
    let isSame = areSamePages && zip(old, new).allSatisfy { $0.isSame(as: $1) }
    guard !isSame, row != nil || !new.isEmpty else { return }
    let ids = new.count == 1 ? new[0].ids : []
    let isShort = row?.index == nil && new.count == 1 && ids.count <= 2 * KeyListPages.pageSize
    if new.isEmpty || isShort {
      written = [KeyListRow(name: name, ids: ids)]
      removed = Self.rows(old.map(\.name), of: row)
    } else {
      writePages(of: name, row: row, from: old, to: new)
    }
  }

  /// Writes single existing pages.
  private mutating func writeChanged(
    _ row: KeyListRow, from old: [KeyListPage], to new: [KeyListPage]
  ) {
    for (old, new) in zip(old, new) where !new.isSame(as: old) {
      written.append(KeyListRow(name: new.name, ids: new.ids))
    }
    guard !written.isEmpty else { return }
    var changed = row
    changed.edition = .random(in: 0 ... .max)
    changed.former = row.edition
    changed.changed = written.map(\.name)
    written.append(changed)
  }

  private mutating func writePages(
    of name: String, row: KeyListRow?, from old: [KeyListPage], to new: [KeyListPage]
  ) {
    // The only page of a formerly short list has the list's name, which the list's row needs.
    let new = new.map { page in
      page.name == name
        ? KeyListPage(name: UUID().uuidString, number: .max, ids: page.ids) : page
    }
    let former = Dictionary(old.map { ($0.number, $0) }) { first, _ in first }
    written = new.filter { !(former[$0.number]?.isSame(as: $0) ?? false) }
      .map { KeyListRow(name: $0.name, ids: $0.ids) }
    let index = row?.index ?? UUID().uuidString
    let names = new.map(\.name)
    if names != old.map(\.name) || row?.index == nil {
      written.append(KeyListRow(name: index, ids: names))
    }
    written.append(
      KeyListRow(name: name, ids: [], index: index, edition: .random(in: 0 ... .max)))
    let kept = Set(names)
    if row?.index != nil {
      removed = old.map(\.name).filter { !kept.contains($0) }.map { KeyListRow(name: $0, ids: []) }
    }
  }

  /// The index and the pages, if there are any beside the list's row.
  private static func rows(_ pages: [String], of row: KeyListRow?) -> [KeyListRow] {
    guard let index = row?.index else { return [] }
    return (pages + [index]).map { KeyListRow(name: $0, ids: []) }
  }
}
