import Foundation
import PandaTestSupport
import Testing

@testable import Pantry
@testable import PantryFaultProbe

/// What a power failure leaves: the disk has all that was flushed, and any part of the rest.
@Suite(.enabled(if: Faults.arePossible), .timeLimit(.minutes(60))) struct PowerLossTests {
  /// What may be left of the changes that were not flushed, at the nth of the moments.
  ///
  /// The short form has one of them at each moment by turns, more during the creation.
  private func rests(_ number: Int) -> [RecordedDisk.Rest] {
    if Torture.isOn { return [.nothing, .everything] + (1...20).map { .part($0) } }
    if number < 6 { return [.nothing] + (1...12).map { .part($0) } }
    return [[.nothing, .everything, .part(UInt64(number))][number % 3]]
  }

  @Test(arguments: FaultProbe.Kind.allCases)
  func `fault 48: a power failure at any flush loses no acknowledged change and leaves no part`(
    _ kind: FaultProbe.Kind
  ) async throws {
    let directory = TemporaryDirectory()
    let run = try FaultProbeRun(
      kind, in: directory, steps: 0..<Torture.rounds(12, orTorture: 36))
    try #require(run.status == 0 && run.disk.lines().last == "end", "\(run.output)")
    // The flushes are recorded.
    #expect(run.disk.moments.count > 20)
    for (number, moment) in run.disk.moments.enumerated() {
      for rest in rests(number) {
        try await check(run, moment, rest)
      }
    }
  }

  private func check(
    _ run: FaultProbeRun, _ moment: Int, _ rest: RecordedDisk.Rest
  ) async throws {
    let image = TemporaryDirectory(inMemory: true)
    try run.disk.restore(moment, keeping: rest, to: image.url)
    let lines = run.disk.lines(before: moment)
    let possible = PossibleContent(run.kind, after: lines).contents
    let words = Comment(rawValue: "moment \(moment), \(rest), after \(lines.last ?? "nothing")")
    do {
      let found = try await run.kind.checkedContent(of: image)
      #expect(possible.contains(found), words)
      if run.kind == .sqlite { try checkBackup(in: image, lines) }
    } catch {
      Issue.record(error, words)
    }
  }

  /// Checks that a copy of the file is absent, or whole and of its owner alone.
  private func checkBackup(in image: TemporaryDirectory, _ lines: [String]) throws {
    let path = image.storage.url.appending(path: "backup.sqlite").path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path) else {
      return #expect(!lines.contains("done 10"))
    }
    let backup = try Database(path: path)
    try FaultProbe.Kind.requireIntegrity(of: backup)
    #expect(try backup.integer("PRAGMA user_version") == SQLiteSchema.version)
  }
}
