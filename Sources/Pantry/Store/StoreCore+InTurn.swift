internal import FoundationEssentials

extension StoreCore {
  /// The largest row, in bytes, whose item is encoded in the engine's turn.
  private static var limit: Int { 65_536 }

  /// Encodes and commits a single item in one turn of the engine, which saves a thread hop.
  ///
  /// - Returns: nil if the operation has other steps, or the items have been large: others would
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
