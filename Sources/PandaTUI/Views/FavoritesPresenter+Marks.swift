internal import PandaCore
internal import PandaSession

/// Marks: what the next command applies to.
extension FavoritesPresenter {
  /// The marked ones that are shown, in display order; observed.
  ///
  /// - Complexity: O(1) without marks, else O(n).
  var marked: [RemoteImage] {
    marks.isEmpty ? [] : list.filter { marks.contains($0.id) }
  }

  /// Marks the selected one and as many after it as were asked for, and selects the next one.
  func mark(_ count: Int) {
    let state = state
    guard let start = state.selectedIndex else { return }
    let end = min(state.ids.count, start + max(1, count))
    marks.toggle(state.ids[start..<end])
    move(.right, count: end - start)
  }

  /// Marks one of the visible pictures, or unmarks it, and selects it.
  func mark(id: String) {
    select(id: id)
    marks.toggle([id])
  }

  /// Marks all from the last mark to one of the visible pictures, and selects that.
  ///
  /// Without a mark they begin at the selected one.
  func markRange(to id: String) {
    if marks.isEmpty, let selection = state.selection { marks.toggle([selection]) }
    select(id: id)
    marks.extend(to: id, in: state.ids)
  }

  /// The pictures that a command applies to: the marked ones, or the selected one and as many after
  /// it as were asked for.
  func chosen(_ count: Int) -> [RemoteImage] {
    let marked = marked
    return marked.isEmpty ? selected(count) : marked
  }

  /// Marks all from the last mark to the selected one.
  func markRange() {
    if let id = state.selection { marks.extend(to: id, in: state.ids) }
  }

  /// Marks all that are shown; none if all are marked.
  func markAll() {
    marks.toggle(state.ids)
  }
}
