internal import FoundationEssentials

extension StoreCore {
  /// How many bytes a row has at most whose item is encoded in the engine's turn.
  private static var limit: Int { 65_536 }

  /// Encodes the one item of an operation in the turn of the engine that writes it, which saves the
  /// turns of another thread.
  ///
  /// - Returns: nil if this is not such an operation, or the items have been large: others would
  ///   wait for the engine meanwhile.
  func commitInTurn(
    _ steps: [ResolvedStep<Item>]
  ) async throws -> (changes: [StorageChange], positions: [Int?]?)? {
    guard encodesInTurn, steps.count == 1, case .add(let items) = steps[0], items.count == 1,
      let storage = storage as? any EncodingStorage, let follower
    else { return nil }
    try requireNoNewer(in: steps)
    let (changes, commit) = try await storage.commit(
      encoding: { [coder] in try coder.encodeInTurn(items[0]) }, for: follower)
    await follow(commit.update)
    if case .write(let data, _, let attachments) = changes.first {
      encodesInTurn = attachments.isEmpty && data.count <= Self.limit
    }
    return (changes, commit.positions)
  }
}
