internal import TerminalKit

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
  /// The number of visible ones.
  private var capacity = 1
  /// The number of columns of the grid; nil for a single row.
  private var columns: Int?
  private var places: [String: Int] = [:]

  enum Move {
    case left, right, up, down, first, last, pageLeft, pageRight
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

  /// Updates the size of the view.
  ///
  /// - Parameter columns: the number of columns of a grid; nil for a single row.
  mutating func resize(capacity: Int, columns: Int? = nil) {
    self.capacity = max(1, capacity)
    self.columns = columns.map { max(1, $0) }
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
  /// - Complexity: O(1).
  mutating func move(_ move: Move, count: Int = 1) {
    guard let index = selectedIndex else { return }
    // In a single row, up and down mean back and forward.
    let row = columns ?? 1
    let target =
      switch move {
      case .left: index - count
      case .right: index + count
      case .up: index - row * count
      case .down: index + row * count
      case .first: 0
      case .last: ids.count - 1
      case .pageLeft: index - capacity * count
      case .pageRight: index + capacity * count
      }
    selection = ids[max(0, min(ids.count - 1, target))]
    reveal()
  }

  /// Scrolls just enough to show the selection.
  private mutating func reveal() {
    guard let index = selectedIndex else {
      first = 0
      return
    }
    if let columns {
      // Grids scroll by whole rows: the first visible favorite begins one.
      let rows = max(1, capacity / columns)
      let row = index / columns
      var top = first / columns
      if row < top { top = row }
      if row >= top + rows { top = row - rows + 1 }
      let all = (ids.count + columns - 1) / columns
      first = max(0, min(top, all - rows)) * columns
    } else {
      if index < first { first = index }
      if index >= first + capacity { first = index - capacity + 1 }
      first = max(0, min(first, ids.count - capacity))
    }
  }
}
