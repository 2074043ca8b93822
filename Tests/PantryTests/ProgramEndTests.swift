import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Processes that end without closing anything.
@MainActor
@Suite struct ProgramEndTests {
  let directory = TemporaryDirectory()

  private var place: String { directory.path("store") }
  private var logSize: Int { FileStamp(path: place + "/pantry.sqlite-wal")?.byteCount ?? 0 }

  private func end(by ending: String) throws -> ProbeProcess {
    try ProbeProcess("PantryLiveProbe", ["end", place, ending])
  }

  private var runs: Int {
    StoredValue(
      wrappedValue: 0, key: "runs", directory: directory.storage, registry: ValueRegistry()
    ).wrappedValue
  }

  private func keys() async throws -> [String] {
    try await directory.engine().allKeys().map(\.rawValue)
  }

  @Test(arguments: ["main", "exit", "queue", "closed"])
  func `fault 92: a program that exits keeps its value, and leaves one complete file`(
    _ ending: String
  ) async throws {
    for run in 1...2 {
      #expect(try await end(by: ending).hasSucceeded())
      #expect(runs == run)
      #expect(logSize == 0)
      // The file alone has everything.
      let copy = directory.path("copy.sqlite")
      try Data(contentsOf: URL(filePath: place + "/pantry.sqlite")).write(to: URL(filePath: copy))
      #expect(try Database(path: copy).integer("SELECT count(*) FROM item") == 3)
    }
  }

  @Test func `fault 92: exit in a transaction leaves what was saved before`() async throws {
    #expect(try await end(by: "transaction").hasSucceeded())
    #expect(runs == 1)
    #expect(try await keys() == ["a", "b", "c"])
  }

  @Test func `fault 92: exit while threads write loses nothing that was saved`() async throws {
    let probe = try end(by: "threads")
    var saved = Set(["a", "b", "c"])
    while let line = await probe.line() { saved.insert(line) }
    #expect(await probe.hasSucceeded())
    #expect(saved.count > 3)
    #expect(runs == 1)
    #expect(try await saved.subtracting(keys()) == [])
  }

  @Test func `fault 92: a forked child that exits leaves the log to its parent`() async throws {
    let probe = try end(by: "fork")
    #expect(await probe.line() == "0")
    #expect(await probe.hasSucceeded())
    #expect(logSize > 0)
    #expect(try await keys() == ["a", "b", "c"])
  }

  @Test func `a forked child that goes on with a store ends with a sentence`() async throws {
    let result = try Subprocess.run(
      [BuildProducts.path(of: "PantryLiveProbe"), "end", place, "child"],
      environment: ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"])
    #expect(result.output.contains("This process is a fork"), "\(result.output)")
    #expect(result.output.hasSuffix("the child has crashed\n"), "\(result.output)")
    #expect(try await keys() == ["a", "b", "c", "d"])
  }

  @Test(arguments: ["_exit", "abort"])
  func `fault 92: a process without an orderly end leaves a log with everything`(
    _ ending: String
  ) async throws {
    #expect(try await end(by: ending).hasSucceeded() == (ending == "_exit"))
    #expect(logSize > 0)
    #expect(try await keys() == ["a", "b", "c"])
  }

  @Test func `fault 92: the last of two processes to end leaves one whole file`() async throws {
    let other = try ProbeProcess("PantryLiveProbe", ["hold", place, "held"])
    #expect(await other.line() == "held")
    #expect(try await end(by: "main").hasSucceeded())
    #expect(logSize > 0)
    try other.write("go on")
    #expect(await other.line() == "saved")
    #expect(await other.hasSucceeded())
    #expect(logSize == 0)
    #expect(try await keys() == ["held", "a", "b", "c", "held again"])
  }
}
