extension StoreCore {
  /// Begins to follow what others write, if others can.
  func follow() {
    guard let storage = storage as? any LiveStorage else { return }
    let follower = StorageFollower { [weak self] connection in
      Task { @MainActor in self?.show(connection) }
    } onChange: { [weak self] in
      Task { @MainActor in self?.catchUp() }
    }
    storage.add(follower)
    self.follower = follower
  }

  private func show(_ new: StorageConnection) {
    guard new != connection else { return }
    connectionGate.withMutation { connection = new }
    // What was written in the meantime.
    if new == .connected { catchUp() }
  }

  /// Reads what others have written, and brings memory to it.
  func followOthers() async throws {
    guard let storage = storage as? any LiveStorage, let follower else { return }
    await follow(try await storage.changes(for: follower))
    isUncertain = false
  }

  /// Brings memory to what others have written, as one change.
  func follow(_ update: StorageUpdate) async {
    guard !update.isEmpty else { return }
    await change(StoredChange(edits: await coder.edits(for: update)))
    discard(update, of: update.rows.count)
  }

  /// Reads what is true if it is not known what became of a commit.
  ///
  /// - Throws: the engine's error; then it is not known yet.
  func requireCertainty() async throws {
    if isUncertain { try await followOthers() }
  }

  /// Notes an error of the engine, after which it may have to be read what is true.
  func note(_ error: any Error) async {
    guard let error = error as? StorageError, case .outcomeUnknown = error else { return }
    isUncertain = true
    // If it cannot be read now, the next operation does so before anything else.
    try? await followOthers()  // see above
  }
}
