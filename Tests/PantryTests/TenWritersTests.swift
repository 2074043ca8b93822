import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Processes that add to one note, and some of them are killed: five, or ten for long.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct TenWritersTests {
  let directory = TemporaryDirectory(inMemory: true)

  /// A process, and the last of its commits that it has acknowledged.
  private struct Writer {
    let name: String
    var process: ProbeProcess
    var acknowledged = 0
    var kills = 0

    /// Reads some lines, or all that there are.
    mutating func read(_ count: Int = .max) async {
      var left = count
      while left > 0, let line = await process.line() {
        acknowledged = Int(line) ?? acknowledged
        left -= 1
      }
    }
  }

  private func start(_ name: String) throws -> ProbeProcess {
    let place = directory.storage.url.path(percentEncoded: false)
    return try ProbeProcess("PantryLiveProbe", ["count", place, name])
  }

  @Test func `fault 49: many writers, some of them killed, lose no update and no lock`()
    async throws
  {
    let store = try await Store<Note>(storage: directory.engine())
    try await store.add(Note(id: "sum", text: "0"))
    var writers = try (0..<Torture.rounds(5, orTorture: 10)).map {
      Writer(name: "w\($0)", process: try start("w\($0)"))
    }
    for index in writers.indices { await writers[index].read(1) }
    for round in 0..<Torture.rounds(2, orTorture: 500) {
      // Every third writer is never killed.
      let index = [0, 1, 3, 4, 6, 7][round % (writers.count / 3 * 2)]
      await writers[index].read(1 + round % 4)
      writers[index].process.kill()
      await writers[index].read()
      writers[index].kills += 1
      writers[index].process = try start(writers[index].name)
      await writers[index].read(1)
      // No process is left behind, whichever is killed.
      for index in writers.indices { await writers[index].read(1) }
    }
    for index in writers.indices {
      try writers[index].process.write("stop")
      await writers[index].read()
      // A commit that had waited longer than the busy timeout would have thrown.
      #expect(await writers[index].process.hasSucceeded(), "\(writers[index].name)")
    }

    let onDisk = try await ObjectStorage<Note>(storage: directory.engine()).allObjects()
    let counts = Dictionary(uniqueKeysWithValues: onDisk.map { ($0.id, Int($0.text) ?? -1) })
    #expect(counts["sum"] == writers.reduce(0) { $0 + (counts[$1.name] ?? 0) })
    for writer in writers {
      let count = try #require(counts[writer.name])
      // Each kill may come between a commit and its line.
      #expect(count >= writer.acknowledged)
      if writer.kills == 0 { #expect(count == writer.acknowledged) }
    }
    try await eventually("all is seen here") {
      store.items.count == writers.count + 1 && store.items == onDisk
    }
  }
}
