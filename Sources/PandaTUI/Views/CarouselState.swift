internal import PandaSession

/// The selected favorite and the visible ones, as a pure state machine.
///
/// The selection is a favorite, not an index: it stays the same while others are added and removed.
/// If it is removed itself, its neighbor is selected. The favorites are in one row that scrolls
/// sideways, or in a grid that scrolls up and down.
struct CarouselState: Equatable {
  /// The identifiers in display order.
  private(set) var ids: [String] = []
  private(set) var selection: String?
  /// The index of the first visible one.
  private(set) var first = 0
  private var shape = Shape.row(capacity: 1)
  private var places: [String: Int] = [:]

  private enum Shape: Equatable {
    /// A single row with a number of visible ones.
    case row(capacity: Int)
    case grid(GridRows, lines: Int, rowLines: Int)
  }

  /// The index of the selection.
  ///
  /// - Complexity: O(1).
  var selectedIndex: Int? { selection.flatMap { places[$0] } }

  /// Updates the favorites after they have changed.
  ///
  /// - Complexity: O(n).
  mutating func update(_ newIDs: [String]) {
    guard newIDs != ids else { return }
    let former = selectedIndex ?? 0
    let wasAtStart = selectedIndex == 0 || selectedIndex == nil
    let isNewest =
      newIDs.count > ids.count && newIDs.dropFirst(newIDs.count - ids.count) == ids[...]
    ids = newIDs
    places = Dictionary(
      zip(ids, ids.indices).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    if isNewest, wasAtStart {
      // If the newest one was selected, the new newest one is.
      selection = ids.first
    } else if selectedIndex == nil {
      selection = ids.isEmpty ? nil : ids[min(former, ids.count - 1)]
    }
    reveal()
  }

  /// Arranges the favorites in a single row.
  ///
  /// - Parameter capacity: the number of visible ones.
  mutating func resize(capacity: Int) {
    shape = .row(capacity: max(1, capacity))
    reveal()
  }

  /// Arranges the favorites in a grid.
  ///
  /// - Parameters:
  ///   - rows: the rows of all favorites.
  ///   - lines: the height of the view in lines.
  ///   - rowLines: the height of a row.
  mutating func arrange(_ rows: GridRows, lines: Int, rowLines: Int) {
    shape = .grid(rows, lines: lines, rowLines: max(1, rowLines))
    reveal()
  }

  /// Selects a favorite, if it is in the list.
  mutating func select(_ id: String) {
    guard places[id] != nil else { return }
    selection = id
    reveal()
  }

  /// Moves the selection; it stops at the ends.
  ///
  /// - Complexity: O(log n).
  mutating func move(_ move: Command.Move, count: Int = 1) {
    guard let index = selectedIndex else { return }
    let target =
      switch move {
      case .left: index - count
      case .right: index + count
      case .up: vertical(from: index, by: -count)
      case .down: vertical(from: index, by: count)
      case .first: 0
      case .last: ids.count - 1
      case .pageLeft: page(from: index, by: -count)
      case .pageRight: page(from: index, by: count)
      }
    selection = ids[max(0, min(ids.count - 1, target))]
    reveal()
  }

  /// In a single row, up and down mean back and forward.
  private func vertical(from index: Int, by count: Int) -> Int {
    switch shape {
    case .row: index + count
    case .grid(let rows, _, _): rows.index(of: index, movedBy: count)
    }
  }

  private func page(from index: Int, by count: Int) -> Int {
    switch shape {
    case .row(let capacity): index + capacity * count
    case .grid(let rows, let lines, let rowLines):
      rows.index(of: index, movedBy: max(1, lines / rowLines) * count)
    }
  }

  /// Scrolls just enough to show the selection.
  private mutating func reveal() {
    guard let index = selectedIndex else {
      first = 0
      return
    }
    switch shape {
    case .row(let capacity):
      if index < first { first = index }
      if index >= first + capacity { first = index - capacity + 1 }
      first = max(0, min(first, ids.count - capacity))
    case .grid(let rows, let lines, let rowLines):
      // Grids scroll by whole rows: the first visible favorite begins one.
      let row = rows.row(with: index)
      let least = rows.top(above: row, lines: lines, rowLines: rowLines)
      let most = rows.top(above: rows.rows.count - 1, lines: lines, rowLines: rowLines)
      let top = min(max(min(rows.row(with: first), row), least), most)
      first = rows.rows.indices.contains(top) ? rows.rows[top].items.lowerBound : 0
    }
  }
}
