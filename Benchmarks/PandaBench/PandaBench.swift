internal import Foundation

/// `make bench`: prints the figures that the README and the issues name, measured now.
@main
enum PandaBench {
  static func main() async throws {
    try await LaunchBenchmark().run()
  }
}

/// The middle of several measurements: what a shared machine's figures are quoted by.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  return sorted.count % 2 == 1
    ? sorted[sorted.count / 2] : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
}

/// Prints one row: a name, then figures in columns of one width.
func printRow(_ name: String, _ figures: [String]) {
  let columns = figures.map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }
  let padding = String(repeating: " ", count: max(1, 44 - name.count))
  print(name + padding + columns.joined())
}
