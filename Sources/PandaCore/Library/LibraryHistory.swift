internal import Pantry

/// The steps that can be undone and those that can be done again, on a Store of their own.
///
/// In the Store the steps are in the order in which they were done; those that were undone are at
/// its end.
@MainActor
struct LibraryHistory {
  /// How many steps are kept.
  static let limit = 500

  let store: Store<LibraryChange>

  /// The step that undo would take back.
  var lastDone: LibraryChange? { done.first }

  /// The step that redo would do again.
  var firstUndone: LibraryChange? { undone.first }

  /// The steps that undo takes back, in its order.
  var done: some Collection<LibraryChange> {
    store.items.reversed().lazy.filter { !$0.isUndone }
  }

  /// The steps that redo does again, in its order.
  var undone: ArraySlice<LibraryChange> {
    store.items.suffix(while: \.isUndone)
  }

  /// Appends a step.
  ///
  /// What had been undone cannot be done again then, and the oldest steps beyond the limit are
  /// forgotten.
  func append(_ change: LibraryChange, in transaction: Transaction) {
    let undone = store.items.filter(\.isUndone)
    let surplus = store.items.count - undone.count + 1 - Self.limit
    let oldest = surplus > 0 ? Array(store.items.prefix(surplus)) : []
    transaction.remove(undone + oldest, from: store)
    transaction.add(change, to: store)
  }

  /// Notes that a step has been undone, or done again.
  func mark(_ change: LibraryChange, isUndone: Bool, in transaction: Transaction) {
    var change = change
    change.isUndone = isUndone
    transaction.add(change, to: store)
  }
}

extension Array {
  /// The last elements up to the first, from the end, that is not so.
  fileprivate func suffix(while isSo: (Element) -> Bool) -> ArraySlice<Element> {
    self[(lastIndex { !isSo($0) }.map { $0 + 1 } ?? 0)...]
  }
}
