internal import Foundation
internal import PandaTestSupport
internal import Pantry

/// Measures how soon Stores in several processes see each other's commits in one file.
///
/// It also checks that nothing is missed.
@MainActor
struct LiveBenchmark {
  let report: Report

  func run() async throws {
    report.note(
      "Two processes on one SQLite file: from the call, and from its return, to the other's")
    report.note("items; the call itself, with its flush to the disk, for comparison")
    report.header(["median ms", "p99 ms", "worst ms", "commits"])
    try await reach("", load: 0)
    try await reach(", both cores busy", load: 2)
    try await twoWriters()
  }

  // MARK: Latency

  private func reach(_ circumstances: String, load: Int) async throws {
    let directory = TemporaryDirectory()
    let count = Extent.count(2_000)
    let store = try await LiveWriter.store(in: directory.url)
    // Not Foundation's Process, which passes on the signals that this thread blocks.
    let busy = try (0..<load).map { _ in
      try ChildProcess("/bin/sh", ["-c", "while :; do :; done"])
    }
    defer { for process in busy { process.end() } }
    let arrivals = Task { await Self.arrivals(in: store, count: count) }
    let before = Self.processorTime
    let times = try await Self.write("w", count: count, pause: 2_000, in: directory.url)
    let arrived = try await withDeadline(.seconds(60)) { await arrivals.value }
    var fromCall: [Double] = []
    var fromReturn: [Double] = []
    for (id, time) in times {
      guard let arrival = arrived[id] else {
        throw BenchmarkFailure(description: "\(id) was missed.")
      }
      fromCall.append(Double(arrival - time.called) / 1e6)
      // It may be seen before the writer's own call returns.
      fromReturn.append(arrival > time.returned ? Double(arrival - time.returned) / 1e6 : 0)
    }
    row("from the return" + circumstances, fromReturn)
    row("from the call" + circumstances, fromCall)
    let calls = times.values.map { Double($0.returned - $0.called) / 1e6 }
    row("the call itself" + circumstances, calls)
    let spent = (Self.processorTime - before) / Double(count)
    report.note(
      "the follower's processor time for a change\(circumstances): \(spent.formatted(.number.precision(.fractionLength(2)))) ms"
    )
  }

  /// The processor time of this process so far, in milliseconds.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// Returns when each item was in the store, by its identifier.
  static func arrivals(
    in store: Store<LiveWriter.Message>, count: Int
  ) async -> [String: UInt64] {
    var arrivals: [String: UInt64] = [:]
    for await event in store.events where event.operation == .insert {
      let now = LiveWriter.now
      for item in event.items where arrivals[item.id] == nil { arrivals[item.id] = now }
      if arrivals.count == count { break }
    }
    return arrivals
  }

  private func row(_ name: String, _ values: [Double]) {
    let sorted = values.sorted()
    report.row(
      name, of: "live",
      [
        ("median", median(values), 2), ("p99", sorted[sorted.count * 99 / 100], 2),
        ("worst", sorted.last ?? .nan, 2), ("commits", Double(values.count), 0),
      ])
  }

  // MARK: Completeness

  /// Two processes commit as fast as they can; a third follows.
  private func twoWriters() async throws {
    let directory = TemporaryDirectory()
    let each = Extent.count(10_000)
    let reader = try await LiveWriter.store(in: directory.url)
    let start = ContinuousClock.now
    async let one = Self.write("a", count: each, pause: 0, in: directory.url)
    async let other = Self.write("b", count: each, pause: 0, in: directory.url)
    let times = try await (one, other)
    let written = ContinuousClock.now
    try await eventually("all that was written") { reader.items.count == 2 * each }
    let read = ContinuousClock.now
    let onDisk = try await LiveWriter.store(in: directory.url).items
    let missed = Set(onDisk.map(\.id)).subtracting(reader.items.map(\.id)).count
    guard reader.items == onDisk else {
      throw BenchmarkFailure(description: "What the reader shows is not what is on the disk.")
    }
    report.note("Two writers and a reader, in processes of their own")
    report.header(["commits", "missed", "seconds", "ms behind"])
    report.row(
      "20,000 commits from two writers", of: "live",
      [
        ("commits", Double(onDisk.count), 0), ("missed", Double(missed), 0),
        ("seconds", (written - start) / .seconds(1), 1),
        ("behind", (read - written) / .milliseconds(1), 1),
      ])
    report.header(["median ms", "p99 ms", "worst ms", "commits"])
    let calls = [times.0, times.1].flatMap(\.values).map { Double($0.returned - $0.called) / 1e6 }
    row("a commit beside another writer", calls)
  }

  // MARK: Processes

  /// Runs a writer to its end, and returns the start and end time of each call.
  @concurrent
  private static func write(
    _ name: String, count: Int, pause: Int, in directory: URL
  ) async throws -> [String: (called: UInt64, returned: UInt64)] {
    try await write(name, count: count, pause: pause, at: directory.path(percentEncoded: false))
  }

  /// The same, in a directory or at the address of a server.
  @concurrent
  static func write(
    _ name: String, count: Int, pause: Int, at place: String
  ) async throws -> [String: (called: UInt64, returned: UInt64)] {
    let arguments = [LiveWriter.childArgument, name, "\(count)", "\(pause)", place]
    var times: [String: (called: UInt64, returned: UInt64)] = [:]
    for line in try BenchmarkChild.output(arguments).split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count == 3, let called = UInt64(fields[1]), let returned = UInt64(fields[2])
      else { continue }
      times[String(fields[0])] = (called, returned)
    }
    guard times.count == count else {
      throw BenchmarkFailure(description: "A writer ended before it had written all.")
    }
    return times
  }
}
