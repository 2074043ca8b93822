extension Store {
  /// Removes rows that could not be decoded, even those of a newer version of the program.
  ///
  /// Everything else leaves the rows of a newer version alone. A row that was changed meanwhile, or
  /// that the store can decode, stays.
  ///
  /// ```swift
  /// try await store.removeRows(of: store.loadIssues)
  /// ```
  ///
  /// - Parameter issues: issues from ``loadIssues``. Their ``LoadIssue/data`` is the only copy of
  ///   the rows afterwards.
  /// - Throws: the engine's error; then nothing has changed.
  public func removeRows(of issues: [LoadIssue]) async throws {
    try await core.perform([.removeIssues(issues)])
  }
}
