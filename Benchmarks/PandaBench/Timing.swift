/// The time that `body` takes, in milliseconds.
func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return (ContinuousClock.now - start) / .milliseconds(1)
}

/// The time that `body` takes, in milliseconds, waiting included.
@MainActor
func milliseconds(_ body: @MainActor () async throws -> Void) async rethrows -> Double {
  let start = ContinuousClock.now
  try await body()
  return (ContinuousClock.now - start) / .milliseconds(1)
}

/// The middle of several measurements: what a shared machine's figures are quoted by.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  return sorted.count % 2 == 1
    ? sorted[sorted.count / 2] : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
}

/// The median without the first, which warms up what all others share.
func medianAfterFirst(_ values: [Double]) -> Double { median(Array(values.dropFirst())) }
