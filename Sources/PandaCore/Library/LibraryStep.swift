internal import Pantry

/// Takes a step of the history back, or does it again, inside a transaction.
///
/// In a shared library, what others have changed since stays as it is.
@MainActor
struct LibraryStep {
  let library: ImageLibrary
  let transaction: Transaction

  /// Reverts a step.
  ///
  /// Nothing changes if the step had not been performed.
  func undo(_ kind: LibraryChange.Kind) -> Effect {
    switch kind {
    case .favorited(let ids), .restored(let ids): moveToTrash(ids)
    case .removed(let ids), .cleared(let ids): restore(ids)
    case .captioned(let id, let former, _): change(id) { $0.caption = former }
    case .tagged(let id, let former, _): change(id) { $0.tags = former }
    case .hidden(let entry): Effect(count: show(entry))
    case .collection(let former, let new): replace(new, by: former)
    case .several(let kinds): kinds.reversed().reduce(into: Effect()) { $0 += undo($1) }
    }
  }

  func redo(_ kind: LibraryChange.Kind) -> Effect {
    switch kind {
    case .favorited(let ids), .restored(let ids): restore(ids)
    case .removed(let ids), .cleared(let ids): moveToTrash(ids)
    case .captioned(let id, _, let caption): change(id) { $0.caption = caption }
    case .tagged(let id, _, let tags): change(id) { $0.tags = tags }
    case .hidden(let entry): Effect(count: hide(entry))
    case .collection(let former, let new): replace(former, by: new)
    case .several(let kinds): kinds.reduce(into: Effect()) { $0 += redo($1) }
    }
  }

  struct Effect {
    /// The number of pictures that were changed.
    var count = 0
    /// One of them, as it was before if it has left the favorites.
    var image: RemoteImage?
    /// The number of pictures that were left as others have changed them since.
    var kept = 0
    /// One of the others.
    var keeper: String?
    var changesCollection = false

    var isNone: Bool { count == 0 && !changesCollection }

    static func += (one: inout Effect, other: Effect) {
      one.count += other.count
      one.image = one.image ?? other.image
      one.kept += other.kept
      one.keeper = one.keeper ?? other.keeper
      one.changesCollection = one.changesCollection || other.changesCollection
    }

    mutating func keep(_ other: String) {
      kept += 1
      keeper = keeper ?? other
    }
  }

  /// Returns who else changed or removed a picture last, in a shared library.
  private func other(_ id: String) -> String? {
    guard let author = library.author else { return nil }
    let last = library.favorites[id].map(\.changedBy) ?? library.trash[id]?.removedBy
    return last == author ? nil : last
  }

  /// Moves favorites to the trash, except those that others have changed since.
  private func moveToTrash(_ ids: [String]) -> Effect {
    var effect = Effect()
    var own: [String] = []
    for id in ids {
      if let other = other(id) { effect.keep(other) } else { own.append(id) }
    }
    effect.image = own.lazy.compactMap { library.favorites[$0] }.first
    effect.count = library.moveToTrash(own, in: transaction).count
    return effect
  }

  /// Moves pictures from the trash to the favorites, except those that others removed last.
  private func restore(_ ids: [String]) -> Effect {
    var effect = Effect()
    var own: Set<String> = []
    for id in ids {
      if let other = other(id) {
        effect.keep(other)
      } else if !library.favorites.contains(identifier: id) {
        own.insert(id)
      }
    }
    // In the order of the trash, which is that of removal.
    let images = library.trash.items.filter { own.contains($0.id) }
      .map { library.touched($0.image) }
    transaction.add(images, to: library.favorites)
    effect.count = images.count
    effect.image = images.first
    return effect
  }

  private func change(
    _ id: String, _ change: @escaping @MainActor (inout RemoteImage) -> Void
  ) -> Effect {
    var effect = Effect()
    if let other = other(id) {
      effect.keep(other)
      return effect
    }
    guard let former = library.favorites[id] else { return effect }
    var new = library.touched(former)
    change(&new)
    guard new != former else { return effect }
    transaction.add(new, to: library.favorites)
    effect.count = 1
    effect.image = new
    return effect
  }

  /// Puts a collection, or none, in the place of another one; what came there since stays.
  private func replace(_ old: SavedFilter?, by new: SavedFilter?) -> Effect {
    guard let id = (old ?? new)?.id, library.present(id)?.filter == old?.filter else {
      return Effect()
    }
    library.replace(old, by: new, in: transaction)
    return Effect(changesCollection: true)
  }

  /// Hides a picture and returns how many pictures that affects.
  func hide(_ entry: HiddenImage) -> Int {
    guard !library.hidden.contains(identifier: entry.id) else { return 0 }
    transaction.add(entry, to: library.hidden)
    return 1
  }

  private func show(_ entry: HiddenImage) -> Int {
    guard library.hidden.contains(identifier: entry.id) else { return 0 }
    transaction.remove(entry, from: library.hidden)
    return 1
  }
}
