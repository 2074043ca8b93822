/// Which favourite is selected and which are in view, as a pure state machine.
///
/// The selection is a favourite, not a number: it stays the same while others come and go. When it
/// goes itself, its neighbour is selected.
struct CarouselState: Equatable {
  /// The identifiers from the newest, as they are shown.
  private(set) var ids: [String] = []
  private(set) var selection: String?
  /// The first one in view.
  private(set) var first = 0
  /// How many fit in the view.
  private var capacity = 1

  enum Move {
    case left, right, first, last, pageLeft, pageRight
  }

  /// The number of the selected one.
  var selectedIndex: Int? { selection.flatMap { ids.firstIndex(of: $0) } }

  /// Follows the favourites.
  mutating func update(_ newIDs: [String]) {
    guard newIDs != ids else { return }
    let former = selectedIndex ?? 0
    let wasAtStart = selectedIndex == 0 || selectedIndex == nil
    let isNewest =
      newIDs.count > ids.count && newIDs.dropFirst(newIDs.count - ids.count) == ids[...]
    ids = newIDs
    if isNewest, wasAtStart {
      // Who looks at the newest goes on looking at the newest.
      selection = ids.first
    } else if selectedIndex == nil {
      selection = ids.isEmpty ? nil : ids[min(former, ids.count - 1)]
    }
    reveal()
  }

  /// Follows the width of the view.
  mutating func resize(capacity: Int) {
    self.capacity = max(1, capacity)
    reveal()
  }

  /// Selects one, if it is there.
  mutating func select(_ id: String) {
    guard ids.contains(id) else { return }
    selection = id
    reveal()
  }

  mutating func move(_ move: Move) {
    guard let index = selectedIndex else { return }
    let target =
      switch move {
      case .left: index - 1
      case .right: index + 1
      case .first: 0
      case .last: ids.count - 1
      case .pageLeft: index - capacity
      case .pageRight: index + capacity
      }
    selection = ids[max(0, min(ids.count - 1, target))]
    reveal()
  }

  /// Scrolls as little as shows the selection.
  private mutating func reveal() {
    guard let index = selectedIndex else {
      first = 0
      return
    }
    if index < first { first = index }
    if index >= first + capacity { first = index - capacity + 1 }
    first = max(0, min(first, ids.count - capacity))
  }
}
