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
  /// A step whose pictures are gone, or are already as before, is dropped: the user meant that one,
  /// and not the one before it.
  ///
  /// - Returns: the step, and how many pictures it affected; nil if there is none.
  package func undo() async throws -> UndoneChange? {
    try await go(to: { $0.lastDone }, isUndone: true, by: LibraryStep.undo)
  }

  /// Redoes the step that was undone last.
  ///
  /// - Returns: the step, and how many pictures it affected; nil if there is none.
  package func redo() async throws -> UndoneChange? {
    let change = try await go(to: { $0.firstUndone }, isUndone: false, by: LibraryStep.redo)
    if case .hidden(let entry) = change?.change.kind { await forgetSeen(entry) }
    return change
  }

  /// Marks a step after performing it; one that changes nothing is dropped.
  private func go(
    to step: @escaping @MainActor (LibraryHistory) -> LibraryChange?, isUndone: Bool,
    by act: @escaping @MainActor (LibraryStep) -> (LibraryChange.Kind) -> LibraryStep.Effect
  ) async throws -> UndoneChange? {
    try await favorites.transaction(with: trash, hidden, savedFilters, history.store) { [self] t in
      guard let change = step(history) else { return nil }
      let effect = act(LibraryStep(library: self, transaction: t))(change.kind)
      if effect.isNone {
        t.remove(change, from: history.store)
      } else {
        history.mark(change, isUndone: isUndone, in: t)
      }
      return UndoneChange(change, effect)
    }
  }
}

/// A step that was undone or redone.
///
/// `count` is zero if its pictures are gone, or others have changed all of them since: then nothing
/// was changed, and the step is not offered again.
package struct UndoneChange: Equatable, Sendable {
  package let change: LibraryChange
  /// The number of pictures it affected.
  package let count: Int
  /// One of them; as it was before if it is no longer a favorite.
  package let image: RemoteImage?
  /// The number of pictures that were left as others have changed them since.
  package let kept: Int
  /// One of the others, such as `ada@kitchen`.
  package let keeper: String?

  /// Whether it is to bring pictures back into the favorites.
  package var bringsBack: Bool {
    // A step is as it was before: one that is marked as undone has been redone.
    switch change.kind {
    case .favorited, .restored: change.isUndone
    case .removed, .cleared: !change.isUndone
    default: false
    }
  }

  package init(
    change: LibraryChange, count: Int, image: RemoteImage? = nil, kept: Int = 0,
    keeper: String? = nil
  ) {
    self.change = change
    self.count = count
    self.image = image
    self.kept = kept
    self.keeper = keeper
  }

  fileprivate init(_ change: LibraryChange, _ effect: LibraryStep.Effect) {
    self.init(
      change: change, count: effect.isNone ? 0 : max(1, effect.count), image: effect.image,
      kept: effect.kept, keeper: effect.keeper)
  }
}
