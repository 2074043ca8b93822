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
  var lastDone: LibraryChange? { store.items.last { !$0.isUndone } }

  /// The step that redo would do again.
  var firstUndone: LibraryChange? {
    guard store.items.last?.isUndone == true else { return nil }
    let done = store.items.lastIndex { !$0.isUndone }
    return store.items[done.map { $0 + 1 } ?? 0]
  }

  /// Appends a step.
  ///
  /// What had been undone cannot be done again then, and the oldest steps beyond the limit are
  /// forgotten: all in one transaction.
  func append(_ change: LibraryChange) async throws {
    let undone = store.items.filter(\.isUndone)
    let surplus = store.items.count - undone.count + 1 - Self.limit
    let oldest = surplus > 0 ? Array(store.items.prefix(surplus)) : []
    try await store.remove(undone + oldest).add(change).run()
  }

  /// Notes that a step has been undone, or done again.
  func mark(_ change: LibraryChange, isUndone: Bool) async throws {
    var change = change
    change.isUndone = isUndone
    try await store.add(change)
  }

  /// Forgets a step that was noted and then not done.
  func forget(_ change: LibraryChange) async throws {
    try await store.remove(change)
  }
}
