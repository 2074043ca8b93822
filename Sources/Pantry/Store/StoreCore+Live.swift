extension StoreCore {
  func show(_ new: StorageConnection) {
    guard new != connection else { return }
    connectionGate.withMutation { connection = new }
    // Reads the writes made in the meantime.
    if new == .connected { catchUp() }
  }

  /// Reads the writes of others, and applies them in memory.
  func followOthers() async throws {
    await follow(try await storage.changes(for: follower))
    isUncertain = false
    retry.end()
  }

  /// Applies the writes of others in memory, as one change.
  func follow(_ update: StorageUpdate) async {
    guard !update.isEmpty else { return }
    await visible.change(StoredChange(edits: await coder.edits(for: update)))
    discard(update, of: update.rows.count)
  }

  /// Reads the storage again if the outcome of a commit is unknown.
  ///
  /// - Throws: the engine's error; then the outcome is still unknown.
  func requireCertainty() async throws {
    if isUncertain { try await followOthers() }
  }

  /// Records an error of the engine; if it leaves the outcome unknown, the storage is read again.
  func note(_ error: any Error) async {
    guard StorageError.isOutcomeUnknown(error) else { return }
    isUncertain = true
    // If reading fails now, the next operation retries it first.
    try? await followOthers()
  }
}
