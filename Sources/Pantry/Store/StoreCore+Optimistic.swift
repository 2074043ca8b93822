extension StoreCore {
  /// Shows the result of `steps`, runs `commit`, then writes what `commit` has not written itself.
  ///
  /// If `commit` or writing fails, the optimistic change is rolled back, except for rows that were
  /// written meanwhile.
  func optimistically<Result>(
    _ steps: [StoreStep<Item>], commit: () async throws -> Result
  ) async throws -> Result {
    if !isLoaded { try await load() }
    let token = visible.begin()
    do {
      try await visible.show(steps, by: token)
      let result = try await commit()
      let confirmation = StoreStep<Item>.confirm(
        token, named: steps.flatMap(\.named), readsRows: steps.contains { $0.resolved == nil })
      try await perform([confirmation], confirming: token)
      return result
    } catch {
      await visible.rollBack(token)
      throw error
    }
  }
}
