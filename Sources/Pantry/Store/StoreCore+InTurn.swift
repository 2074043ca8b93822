internal import FoundationEssentials

extension StoreCore {
  /// The largest row, in bytes, whose item is encoded in the engine's turn.
  private static var limit: Int { 65_536 }

  /// Adds a single item or removes one in one turn of the engine, which saves a thread hop.
  ///
  /// - Returns: nil if the operation has other steps, or the items have been large: others would
  ///   wait for the engine meanwhile.
  func commitInTurn(
    _ steps: [ResolvedStep<Item>]
  ) async throws -> (changes: [StorageChange], positions: [Int?]?)? {
    guard steps.count == 1, let make = changesInTurn(of: steps[0]),
      let storage = storage as? any EncodingStorage, let follower
    else { return nil }
    try requireNoNewer(in: steps)
    let (changes, commit) = try await storage.commit(encoding: make, for: follower)
    await follow(commit.update)
    if case .write(let data, _, let attachments) = changes.first {
      encodesInTurn = attachments.isEmpty && data.count <= Self.limit
    }
    return (changes, commit.positions)
  }

  /// Makes the changes of a step in the engine's turn; nil if others would wait for that.
  private func changesInTurn(
    of step: ResolvedStep<Item>
  ) -> (@Sendable () throws -> [StorageChange])? {
    switch step {
    case .add(let items):
      // An own format may have to read attachments first.
      guard encodesInTurn, items.count == 1, definition.coding == nil else { return nil }
      return { [coder] in try coder.encodeInTurn(items[0]) }
    case .remove(let keys):
      guard keys.count == 1 else { return nil }
      return { [.remove(key: keys[0])] }
    case .replace, .removeAll: return nil
    }
  }
}
