/// Returns the time that `body` takes, in milliseconds.
func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return (ContinuousClock.now - start) / .milliseconds(1)
}

/// Returns the time that `body` takes, including waiting, in milliseconds.
@MainActor
func milliseconds(_ body: @MainActor () async throws -> Void) async rethrows -> Double {
  let start = ContinuousClock.now
  try await body()
  return (ContinuousClock.now - start) / .milliseconds(1)
}

/// Returns the median, since single figures on a shared machine are unreliable.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  return sorted.count % 2 == 1
    ? sorted[sorted.count / 2] : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
}

/// Returns the median without the first value, which warms up everything shared.
func medianAfterFirst(_ values: [Double]) -> Double { median(Array(values.dropFirst())) }
