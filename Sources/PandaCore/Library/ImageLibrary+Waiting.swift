internal import Pantry

extension ImageLibrary {
  /// Returns whether the stores can be read without a wait that the user would notice.
  ///
  /// While another program keeps the file locked, they cannot, and no picture waits for them. Once
  /// that is known, it returns at once.
  ///
  /// - Parameter clock: measures the wait.
  func canBeRead(clock: some Clock<Duration> = ContinuousClock()) async -> Bool {
    // A small store: it has loaded as soon as the file can be read.
    if hidden.hasLoaded { return true }
    let loading = loadHidden()
    // No picture waits for a server.
    guard !isLate, !isShared else { return false }
    if case .success? = await loading.result(within: .seconds(1), on: clock) { return true }
    isLate = true
    return false
  }

  /// Returns whether opening the file still waits after a second: another program keeps it locked.
  ///
  /// - Parameter clock: measures the wait.
  package func isWaitingForLock(clock: some Clock<Duration>) async -> Bool {
    if hidden.hasLoaded || isShared { return false }
    guard await loadHidden().result(within: .seconds(1), on: clock) == nil else { return false }
    isLate = true
    return true
  }

  private func loadHidden() -> Task<Void, any Error> {
    Task { try await hidden.itemsHaveLoaded() }
  }
}
