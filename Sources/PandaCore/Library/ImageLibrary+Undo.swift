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
    try await go(to: { $0.lastDone }, isUndone: true, by: takeBack)
  }

  /// Redoes the step that was undone last.
  ///
  /// - Returns: the step, and how many pictures it affected; nil if there is none.
  package func redo() async throws -> UndoneChange? {
    let change = try await go(to: { $0.firstUndone }, isUndone: false, by: doAgain)
    if case .hidden(let entry) = change?.change.kind { await forgetSeen(entry) }
    return change
  }

  /// Marks a step after performing it; one that changes nothing is dropped.
  private func go(
    to step: @escaping @MainActor (LibraryHistory) -> LibraryChange?, isUndone: Bool,
    by act: @escaping @MainActor (LibraryChange.Kind, Transaction) -> Effect
  ) async throws -> UndoneChange? {
    try await favorites.transaction(with: trash, hidden, history.store) { [self] t in
      guard let change = step(history) else { return nil }
      let effect = act(change.kind, t)
      if effect.count == 0 {
        t.remove(change, from: history.store)
      } else {
        history.mark(change, isUndone: isUndone, in: t)
      }
      return UndoneChange(change, effect)
    }
  }

  /// Reverts a step.
  ///
  /// Nothing changes if the step had not been performed.
  private func takeBack(_ kind: LibraryChange.Kind, in transaction: Transaction) -> Effect {
    switch kind {
    case .favorited(let ids), .restored(let ids): take(ids, in: transaction)
    case .removed(let ids), .cleared(let ids): putBack(ids, in: transaction)
    case .captioned(let id, let former, _): change(id, in: transaction) { $0.caption = former }
    case .tagged(let id, let former, _): change(id, in: transaction) { $0.tags = former }
    case .hidden(let entry): Effect(count: show(entry, in: transaction))
    case .several(let kinds):
      kinds.reversed().reduce(into: Effect()) { $0 += takeBack($1, in: transaction) }
    }
  }

  private func doAgain(_ kind: LibraryChange.Kind, in transaction: Transaction) -> Effect {
    switch kind {
    case .favorited(let ids), .restored(let ids): putBack(ids, in: transaction)
    case .removed(let ids), .cleared(let ids): take(ids, in: transaction)
    case .captioned(let id, _, let caption): change(id, in: transaction) { $0.caption = caption }
    case .tagged(let id, _, let tags): change(id, in: transaction) { $0.tags = tags }
    case .hidden(let entry): Effect(count: hide(entry, in: transaction))
    case .several(let kinds):
      kinds.reduce(into: Effect()) { $0 += doAgain($1, in: transaction) }
    }
  }

  /// What undoing or redoing a step did.
  struct Effect {
    /// The number of pictures that were changed.
    var count = 0
    /// One of them, as it was before if it has left the favorites.
    var image: RemoteImage?
    /// The number of pictures that were left as others have changed them since.
    var kept = 0
    /// One of the others.
    var keeper: String?

    static func += (one: inout Effect, other: Effect) {
      one.count += other.count
      one.image = one.image ?? other.image
      one.kept += other.kept
      one.keeper = one.keeper ?? other.keeper
    }

    mutating func keep(_ other: String) {
      kept += 1
      keeper = keeper ?? other
    }
  }

  /// Returns who else changed or removed a picture last, in a shared library.
  private func other(_ id: String) -> String? {
    guard let author else { return nil }
    let last = favorites[id].map(\.changedBy) ?? trash[id]?.removedBy
    return last == author ? nil : last
  }

  /// Moves favorites to the trash, except those that others have changed since.
  private func take(_ ids: [String], in transaction: Transaction) -> Effect {
    var effect = Effect()
    var own: [String] = []
    for id in ids {
      if let other = other(id) { effect.keep(other) } else { own.append(id) }
    }
    let former = own.lazy.compactMap { [favorites] in favorites[$0] }.first
    effect.count = takeAway(own, in: transaction).count
    effect.image = former
    return effect
  }

  /// Moves pictures from the trash to the favorites, except those that others removed last.
  private func putBack(_ ids: [String], in transaction: Transaction) -> Effect {
    var effect = Effect()
    var own: Set<String> = []
    for id in ids {
      if let other = other(id) {
        effect.keep(other)
      } else if !favorites.contains(identifier: id) {
        own.insert(id)
      }
    }
    // In the order of the trash, which is that of removal.
    let images = trash.items.filter { own.contains($0.id) }.map { touched($0.image) }
    transaction.add(images, to: favorites)
    effect.count = images.count
    effect.image = images.first
    return effect
  }

  private func change(
    _ id: String, in transaction: Transaction,
    _ change: @escaping @MainActor (inout RemoteImage) -> Void
  ) -> Effect {
    var effect = Effect()
    if let other = other(id) {
      effect.keep(other)
      return effect
    }
    guard let former = favorites[id] else { return effect }
    var new = touched(former)
    change(&new)
    guard new != former else { return effect }
    transaction.add(new, to: favorites)
    effect.count = 1
    effect.image = new
    return effect
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
///
/// `count` is zero if its pictures are gone, or others have changed all of them since: then nothing
/// was changed, and the step is not offered again.
package struct UndoneChange: Equatable, Sendable {
  /// The step.
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

  /// Creates a step that was undone or redone.
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

  fileprivate init(_ change: LibraryChange, _ effect: ImageLibrary.Effect) {
    self.init(
      change: change, count: effect.count, image: effect.image, kept: effect.kept,
      keeper: effect.keeper)
  }
}
