import Foundation
import PandaTestSupport
import Testing

@testable import Pantry
@testable import PantryFaultProbe

/// A disk that reports an error at the nth call, once or for ever after.
@Suite(.enabled(if: Faults.arePossible), .timeLimit(.minutes(240))) struct InjectedErrorTests {
  /// Faults of one kind, on one kind of storage.
  private struct Trial {
    let storage: FaultProbe.Kind
    let kind: Faults.Kind
    let isLasting: Bool

    /// Whether there are such faults.
    private var isPossible: Bool {
      switch kind {
      // A call that is interrupted each time never ends.
      case .interruption: !isLasting
      // Only SQLite has an allocator of its own.
      case .memory: storage == .sqlite
      case .inputOutput, .noRoom, .shortWrite: true
      }
    }

    func fault(atCall call: Int) -> Faults { .fail(kind, atCall: call, isLasting: isLasting) }

    static func all(on storage: FaultProbe.Kind) -> [Trial] {
      Faults.Kind.allCases.flatMap { kind in
        [false, true].map { Trial(storage: storage, kind: kind, isLasting: $0) }
      }.filter(\.isPossible)
    }
  }

  @Test(arguments: FaultProbe.Kind.allCases)
  func `fault 50: an error at any call is thrown or overcome, and no acknowledged change is lost`(
    _ storage: FaultProbe.Kind
  ) async throws {
    let starts = [Start(), try await Start(killed: storage)]
    for (number, trial) in Trial.all(on: storage).enumerated() {
      if Torture.isOn {
        for start in starts { try await checkEach(trial, start) }
      } else {
        // One call, of those that each of them makes.
        try await check(storage, starts[number % 2], trial.fault(atCall: 5 + number))
      }
    }
  }

  /// Checks a fault at each call, but of SQLite's thousands of allocations at some.
  private func checkEach(_ trial: Trial, _ start: Start) async throws {
    let count = try run(trial.storage, start, .count(trial.kind)).run.disk.callCount
    try #require(count > 5)
    for call in stride(from: 1, through: count, by: max(1, count / 800)) {
      try await check(trial.storage, start, trial.fault(atCall: call))
    }
  }

  private func check(_ storage: FaultProbe.Kind, _ start: Start, _ faults: Faults) async throws {
    let (directory, run) = try run(storage, start, faults)
    let lines = run.disk.lines()
    let words = Comment(rawValue: "\(storage), \(faults), from step \(start.step): \(lines)")
    #expect(run.status == 0 && lines.last == "end", "\(words): \(run.output)")
    // The cause is the disk, and the message says so.
    for wrong in ["moved or deleted", "not an error"] {
      #expect(!lines.contains { $0.contains(wrong) }, words)
    }
    do {
      // The disk is in order again.
      let found = try await storage.checkedContent(of: directory)
      let possible = PossibleContent(from: start.content, storage, after: lines).contents
      #expect(possible.contains(found), "\(words), \(found)")
    } catch {
      Issue.record(error, words)
    }
  }

  private func run(
    _ storage: FaultProbe.Kind, _ start: Start, _ faults: Faults
  ) throws -> (directory: TemporaryDirectory, run: FaultProbeRun) {
    let directory = TemporaryDirectory(inMemory: true)
    if let former = start.directory { try former.copyStorage(to: directory) }
    let steps = start.step..<(start.step + 8)
    return (directory, try FaultProbeRun(storage, in: directory, steps: steps, faults))
  }

  /// What the probe finds: nothing, or what it has left when it was killed.
  private struct Start {
    var directory: TemporaryDirectory?
    var content: [Entry] = []
    var step = 0

    init() {}

    init(killed storage: FaultProbe.Kind) async throws {
      let directory = TemporaryDirectory(inMemory: true)
      let probe = try CrashProbeProcess(
        "PantryFaultProbe",
        [storage.rawValue, directory.storage.url.path(percentEncoded: false), "0", "100000"])
      // In the middle of a step that adds 20 items.
      #expect(probe.read(lines: 11))
      probe.kill()
      let copy = TemporaryDirectory(inMemory: true)
      try directory.copyStorage(to: copy)
      content = try await storage.checkedContent(of: copy)
      self.directory = directory
      step = probe.lines.count { $0.hasPrefix("begin ") }
    }
  }
}

extension TemporaryDirectory {
  /// Copies the storage to another directory, as it is on disk.
  func copyStorage(to other: TemporaryDirectory) throws {
    try FileManager.default.copyItem(at: storage.url, to: other.storage.url)
    // The index of a log is shared memory, not on disk.
    let index = other.storage.url.appending(path: "pantry.sqlite-shm")
    try? FileManager.default.removeItem(at: index)  // other storages have none
  }
}
