internal import FoundationEssentials
internal import Pantry

extension ImageLibrary {
  /// Whether there is known to be nothing to undo; observed.
  ///
  /// The first access starts reading the steps from disk.
  package var hasNothingToUndo: Bool { history.store.hasLoaded && history.lastDone == nil }

  /// Whether there is known to be nothing to redo; observed.
  package var hasNothingToRedo: Bool { history.store.hasLoaded && history.firstUndone == nil }

  /// Undoes the last step.
  ///
  /// Steps that would change nothing are skipped: version 0.1.0 recorded a step before performing
  /// it, and may have been killed in between.
  ///
  /// - Returns: the step, and how many pictures it affected; nil if there is none.
  package func undo() async throws -> UndoneChange? {
    try await go(through: { Array($0.done) }, isUndone: true, by: takeBack)
  }

  /// Redoes the step that was undone last.
  ///
  /// - Returns: the step, and how many pictures it affected; nil if there is none.
  package func redo() async throws -> UndoneChange? {
    let change = try await go(through: { Array($0.undone) }, isUndone: false, by: doAgain)
    if case .hidden(let entry) = change?.change.kind { await forgetSeen(entry) }
    return change
  }

  /// Marks steps up to the first one that changes something.
  private func go(
    through steps: @escaping @MainActor (LibraryHistory) -> [LibraryChange], isUndone: Bool,
    by act: @escaping @MainActor (LibraryChange.Kind, Transaction) -> Int
  ) async throws -> UndoneChange? {
    try await favorites.transaction(with: trash, hidden, history.store) { [self] t in
      for change in steps(history) {
        let count = act(change.kind, t)
        history.mark(change, isUndone: isUndone, in: t)
        if count > 0 { return UndoneChange(change: change, count: count) }
      }
      return nil
    }
  }

  /// Reverts a step and returns how many pictures changed.
  ///
  /// None change if the step had not been performed.
  private func takeBack(_ kind: LibraryChange.Kind, in transaction: Transaction) -> Int {
    switch kind {
    case .favorited(let ids), .restored(let ids): takeAway(ids, in: transaction).count
    case .removed(let ids), .cleared(let ids): putBack(ids, in: transaction)
    case .captioned(let id, let former, _): change(id, in: transaction) { $0.caption = former }
    case .tagged(let id, let former, _): change(id, in: transaction) { $0.tags = former }
    case .hidden(let entry): show(entry, in: transaction)
    }
  }

  private func doAgain(_ kind: LibraryChange.Kind, in transaction: Transaction) -> Int {
    switch kind {
    case .favorited(let ids), .restored(let ids): putBack(ids, in: transaction)
    case .removed(let ids), .cleared(let ids): takeAway(ids, in: transaction).count
    case .captioned(let id, _, let caption): change(id, in: transaction) { $0.caption = caption }
    case .tagged(let id, _, let tags): change(id, in: transaction) { $0.tags = tags }
    case .hidden(let entry): hide(entry, in: transaction)
    }
  }

  private func putBack(_ ids: [String], in transaction: Transaction) -> Int {
    let wanted = Set(ids.filter { !favorites.contains(identifier: $0) })
    // In the order of the trash, which is that of removal.
    let images = trash.items.filter { wanted.contains($0.id) }.map(\.image)
    transaction.add(images, to: favorites)
    return images.count
  }

  private func change(
    _ id: String, in transaction: Transaction,
    _ change: @escaping @MainActor (inout RemoteImage) -> Void
  ) -> Int {
    guard let former = favorites[id] else { return 0 }
    var new = former
    change(&new)
    transaction.add(new, to: favorites)
    return new == former ? 0 : 1
  }

  /// Hides a picture and returns how many pictures that affects.
  func hide(_ entry: HiddenImage, in transaction: Transaction) -> Int {
    guard !hidden.contains(identifier: entry.id) else { return 0 }
    transaction.add(entry, to: hidden)
    return 1
  }

  private func show(_ entry: HiddenImage, in transaction: Transaction) -> Int {
    guard hidden.contains(identifier: entry.id) else { return 0 }
    transaction.remove(entry, from: hidden)
    return 1
  }
}

/// A step that was undone or redone.
package struct UndoneChange: Equatable, Sendable {
  /// The step.
  package let change: LibraryChange
  /// The number of pictures it affected.
  package let count: Int
}
