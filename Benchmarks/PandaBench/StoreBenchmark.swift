internal import Foundation
internal import PandaTestSupport

/// The Store beside plain SQLite: each operation in a fresh process on a fresh copy of a file, both
/// sides by turns, so that what else the machine does falls on both.
struct StoreBenchmark {
  private static let runs = 7

  let report: Report
  /// Only operations whose titles or names contain this are run; all if empty.
  var filter = ""

  func run() async throws {
    report.note("Store beside plain SQLite, median of \(Self.runs) processes each; times in ms")
    report.header(["Pantry", "plain", "ratio", "peak MB", "plain MB"])
    let directory = TemporaryDirectory()
    var filled: Set<String> = []
    for operation in StoreOperation.allCases where isWanted(operation) {
      var samples: [Side: [Sample]] = [:]
      for side in Side.allCases {
        let original = directory.url.appending(path: "\(side)-\(operation.contents.name)")
        if filled.insert(original.path).inserted {
          try FileManager.default.createDirectory(at: original, withIntermediateDirectories: true)
          _ = try BenchmarkChild.run(["fill", "\(side)", operation.contents.name], in: original)
        }
      }
      for _ in 0..<Self.runs {
        for side in Side.allCases {
          let original = directory.url.appending(path: "\(side)-\(operation.contents.name)")
          let copy = directory.url.appending(path: "run")
          try FileManager.default.copyItem(at: original, to: copy)
          defer { try? FileManager.default.removeItem(at: copy) }  // failing leaves it to the system
          // The copy's own pages must not be flushed while the clock runs.
          sync()
          let sample = try BenchmarkChild.run(["run", "\(side)", operation.rawValue], in: copy)
          samples[side, default: []].append(sample)
        }
      }
      show(operation, samples)
    }
    report.note("peak: of the whole process (VmHWM), the items that it made to write included.")
    report.note("main actor: the plain column is the machine's noise, with nothing on that actor.")
  }

  private func isWanted(_ operation: StoreOperation) -> Bool {
    filter.isEmpty || operation.title.contains(filter) || operation.rawValue.contains(filter)
  }

  private func show(_ operation: StoreOperation, _ samples: [Side: [Sample]]) {
    func middle(_ side: Side, _ value: (Sample) -> Double) -> Double {
      median(samples[side, default: []].map(value))
    }
    let ours = middle(.pantry, \.milliseconds)
    let plain = middle(.plain, \.milliseconds)
    report.row(
      operation.title, of: "store",
      [
        ("pantry_ms", ours, 2), ("plain_ms", plain, 2), ("ratio", ours / plain, 2),
        ("pantry_peak_mb", middle(.pantry, \.peakMegabytes), 1),
        ("plain_peak_mb", middle(.plain, \.peakMegabytes), 1),
      ])
  }
}
