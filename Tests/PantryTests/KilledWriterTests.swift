import Foundation
import PandaTestSupport
import Testing

@testable import Pantry
@testable import PantryFaultProbe

/// A writer that is killed at any moment, again and again, on the same storage.
@Suite(.timeLimit(.minutes(60))) struct KilledWriterTests {
  @Test(arguments: [FaultProbe.Kind.sqlite, .disk])
  func `fault 47: a killed writer leaves each acknowledged step, and no part of another`(
    _ kind: FaultProbe.Kind
  ) async throws {
    let directory = TemporaryDirectory(inMemory: true)
    var random = SystemRandomNumberGenerator()
    var content: [Entry] = []
    var next = 0
    for round in 0..<Torture.rounds(8, orTorture: 1_000) {
      let probe = try CrashProbeProcess(
        "PantryFaultProbe",
        [
          kind.rawValue, directory.storage.url.path(percentEncoded: false), "\(next)", "1000000",
        ])
      #expect(probe.read(lines: 2 + 2 * (round % 7)), "the probe ended by itself")
      let end = ContinuousClock.now + .microseconds(Int.random(in: 0...4_000, using: &random))
      while ContinuousClock.now < end {}
      probe.kill()
      let found = try await kind.checkedContent(of: directory)
      let possible = PossibleContent(from: content, kind, after: probe.lines).contents
      try #require(possible.contains(found), "round \(round): \(probe.lines), \(found)")
      content = found
      let last = try #require(probe.lines.last { $0.hasPrefix("begin ") })
      next = try #require(Int(last.dropFirst("begin ".count))) + 1
    }
  }
}
