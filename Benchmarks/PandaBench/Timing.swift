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

/// Returns the median, the 99th percentile and the worst of latencies in milliseconds, as columns
/// of a report.
func latencySummary(_ milliseconds: [Double]) -> [(String, Double, Int)] {
  let sorted = milliseconds.sorted()
  return [
    ("median_ms", median(milliseconds), 1),
    ("p99_ms", sorted[min(sorted.count - 1, sorted.count * 99 / 100)], 1),
    ("worst_ms", sorted.last ?? 0, 1),
  ]
}
