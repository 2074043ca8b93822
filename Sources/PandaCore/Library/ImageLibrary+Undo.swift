internal import FoundationEssentials
internal import Pantry

extension ImageLibrary {
  /// Whether it is known that there is no step to undo; observed.
  ///
  /// The steps are read from disk when this is asked first.
  public var hasNothingToUndo: Bool { history.store.hasLoaded && history.lastDone == nil }

  /// Whether it is known that there is no step to do again; observed.
  public var hasNothingToRedo: Bool { history.store.hasLoaded && history.firstUndone == nil }

  /// Takes the last step back.
  ///
  /// - Returns: the step, and how many pictures it concerned; nil if there is none.
  public func undo() async throws -> UndoneChange? {
    try await inTurn { [self] in
      try await load()
      while let change = history.lastDone {
        let count = try await takeBack(change.kind)
        try await history.mark(change, isUndone: true)
        if count > 0 { return UndoneChange(change: change, count: count) }
      }
      return nil
    }
  }

  /// Does the step again that was undone last.
  ///
  /// - Returns: the step, and how many pictures it concerned; nil if there is none.
  public func redo() async throws -> UndoneChange? {
    try await inTurn { [self] in
      try await load()
      while let change = history.firstUndone {
        let count = try await doAgain(change.kind)
        try await history.mark(change, isUndone: false)
        if count > 0 { return UndoneChange(change: change, count: count) }
      }
      return nil
    }
  }

  /// Returns how many pictures were changed: none if the step had not been done.
  private func takeBack(_ kind: LibraryChange.Kind) async throws -> Int {
    switch kind {
    case .favorited(let ids), .restored(let ids): try await takeAway(ids)
    case .removed(let ids), .cleared(let ids): try await putBack(ids)
    case .captioned(let id, let former, _):
      try await change(id) { $0.caption = former }
    case .tagged(let id, let former, _):
      try await change(id) { $0.tags = former }
    case .hidden(let entry): try await show(entry)
    }
  }

  private func doAgain(_ kind: LibraryChange.Kind) async throws -> Int {
    switch kind {
    case .favorited(let ids), .restored(let ids): try await putBack(ids)
    case .removed(let ids), .cleared(let ids): try await takeAway(ids)
    case .captioned(let id, _, let caption):
      try await change(id) { $0.caption = caption }
    case .tagged(let id, _, let tags):
      try await change(id) { $0.tags = tags }
    case .hidden(let entry): try await hide(entry)
    }
  }

  private func takeAway(_ ids: [String]) async throws -> Int {
    let images = ids.compactMap { favorites[$0] }
    guard !images.isEmpty else { return 0 }
    try await discard(images)
    try await favorites.remove(images)
    return images.count
  }

  private func putBack(_ ids: [String]) async throws -> Int {
    let wanted = Set(ids.filter { !favorites.contains(identifier: $0) })
    // In the order of the trash, in which they were removed.
    let images = trash.items.map(\.image).filter { wanted.contains($0.id) }
    guard !images.isEmpty else { return 0 }
    try await favorites.add(images)
    return images.count
  }

  private func change(
    _ id: String, _ change: @escaping @MainActor (inout RemoteImage) -> Void
  ) async throws -> Int {
    let former = favorites[id]
    try await favorites.update(id, change)
    return favorites[id] == former ? 0 : 1
  }

  private func hide(_ entry: HiddenImage) async throws -> Int {
    try await hidden.itemsHaveLoaded()
    guard !hidden.contains(identifier: entry.id) else { return 0 }
    try await hidden.add(entry)
    await forgetSeen(entry)
    return 1
  }

  private func show(_ entry: HiddenImage) async throws -> Int {
    try await hidden.itemsHaveLoaded()
    guard hidden.contains(identifier: entry.id) else { return 0 }
    try await hidden.remove(entry)
    return 1
  }
}

/// A step that was undone or done again.
public struct UndoneChange: Equatable, Sendable {
  /// The step.
  public let change: LibraryChange
  /// How many pictures it concerned.
  public let count: Int
}
