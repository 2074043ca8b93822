internal import Foundation
internal import PandaTestSupport

/// Compares the Store with plain SQLite.
///
/// Each operation runs in a new process on a new copy of a file, alternating between the sides, so
/// that other load on the machine affects both.
struct StoreBenchmark {
  private static let runs = Extent.runs(7)

  let report: Report
  /// Only operations whose titles or names contain this are run; all if empty.
  var filter = ""

  func run() async throws {
    report.note("Store beside plain SQLite, median of \(Self.runs) processes each; times in ms")
    report.header(["Pantry", "plain", "ratio", "peak MB", "plain MB"])
    let directory = TemporaryDirectory()
    var filled: Set<String> = []
    for shape in NoteShape.allCases {
      for operation in StoreOperation.allCases
      where operation.shapes.contains(shape) && isWanted(operation, shape)
        && (shape == .flat || !Extent.isShort)
      {
        try run(operation, shape, in: directory, filled: &filled)
      }
    }
    report.note("peak: of the whole process (VmHWM), the items that it made to write included.")
    report.note("main actor: the plain column is the machine's noise, with nothing on that actor;")
    report.note("by the clock, so a turn that the system gives to another thread counts too.")
    report.note("work: the processor time of its longest turn.")
  }

  private func run(
    _ operation: StoreOperation, _ shape: NoteShape, in directory: TemporaryDirectory,
    filled: inout Set<String>
  ) throws {
    func original(_ side: Side) -> URL {
      directory.url.appending(path: "\(side)-\(shape)-\(operation.contents.name)")
    }
    for side in Side.allCases where filled.insert(original(side).path).inserted {
      try FileManager.default.createDirectory(
        at: original(side), withIntermediateDirectories: true)
      _ = try BenchmarkChild.run(
        ["fill", "\(side)", operation.contents.name, shape.rawValue], in: original(side))
    }
    var samples: [Side: [Sample]] = [:]
    for _ in 0..<Self.runs {
      for side in Side.allCases {
        let copy = directory.url.appending(path: "run")
        try FileManager.default.copyItem(at: original(side), to: copy)
        // Anything that cannot be removed goes with the directory.
        defer { try? FileManager.default.removeItem(at: copy) }
        // The copy's pages must not be flushed while the clock runs.
        sync()
        let sample = try BenchmarkChild.run(
          ["run", "\(side)", operation.rawValue, shape.rawValue], in: copy)
        samples[side, default: []].append(sample)
      }
    }
    show(operation, shape, samples)
  }

  private func isWanted(_ operation: StoreOperation, _ shape: NoteShape) -> Bool {
    let title = title(operation, shape)
    return filter.isEmpty || title.contains(filter) || operation.rawValue.contains(filter)
  }

  private func title(_ operation: StoreOperation, _ shape: NoteShape) -> String {
    operation.shapes.count > 1 ? "\(operation.title), \(shape)" : operation.title
  }

  private func show(
    _ operation: StoreOperation, _ shape: NoteShape, _ samples: [Side: [Sample]]
  ) {
    func middle(_ side: Side, _ value: (Sample) -> Double) -> Double {
      median(samples[side, default: []].map(value))
    }
    let ours = middle(.pantry, \.milliseconds)
    let plain = middle(.plain, \.milliseconds)
    report.row(
      title(operation, shape), of: "store",
      [
        ("pantry_ms", ours, 2), ("plain_ms", plain, 2), ("ratio", ours / plain, 2),
        ("pantry_peak_mb", middle(.pantry, \.peakMegabytes), 1),
        ("plain_peak_mb", middle(.plain, \.peakMegabytes), 1),
      ])
  }
}
