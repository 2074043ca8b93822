internal import FoundationEssentials
internal import Pantry

/// The steps that can be undone and redone, in a Store of their own.
///
/// The Store has the steps in the order in which they were done; undone steps are at its end.
@MainActor
struct LibraryHistory {
  /// The number of steps that are kept.
  static let limit = 500

  let store: Store<LibraryChange>

  /// The step that undo reverts next.
  var lastDone: LibraryChange? { store.items.last { !$0.isUndone } }

  /// The step that redo repeats next.
  var firstUndone: LibraryChange? {
    let items = store.items
    let first = items.lastIndex { !$0.isUndone }.map { $0 + 1 } ?? 0
    return first < items.count ? items[first] : nil
  }

  /// Appends a step.
  ///
  /// Undone steps can no longer be redone after that, and the oldest steps beyond the limit are
  /// dropped.
  func append(_ change: LibraryChange, in transaction: Transaction) {
    let undone = store.items.filter(\.isUndone)
    let surplus = store.items.count - undone.count + 1 - Self.limit
    let oldest = surplus > 0 ? Array(store.items.prefix(surplus)) : []
    transaction.remove(undone + oldest, from: store)
    transaction.add(change, to: store)
  }

  /// Adds favorites to the step with this identifier, or begins one.
  func extend(
    _ id: String, withFavorites ids: [String], at date: Date, in transaction: Transaction
  ) {
    guard let step = store[id], !step.isUndone, case .favorited(let former) = step.kind else {
      return append(
        LibraryChange(id: id, date: date, kind: .favorited(ids: ids)), in: transaction)
    }
    transaction.add(
      LibraryChange(id: id, date: step.date, kind: .favorited(ids: former + ids)), to: store)
  }

  func mark(_ change: LibraryChange, isUndone: Bool, in transaction: Transaction) {
    var change = change
    change.isUndone = isUndone
    transaction.add(change, to: store)
  }
}
