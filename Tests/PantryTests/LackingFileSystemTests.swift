import Foundation
import PandaTestSupport
import Testing

@testable import Pantry
@testable import PantryFaultProbe

/// File systems that lack what most have.
@Suite(.enabled(if: Faults.arePossible)) struct LackingFileSystemTests {
  private let directory = TemporaryDirectory(inMemory: true)

  @Test(arguments: FaultProbe.Kind.allCases)
  func `a directory that cannot be flushed stops nothing`(_ kind: FaultProbe.Kind) async throws {
    let run = try FaultProbeRun(
      kind, in: directory, steps: 0..<8, .lacking(.directoryFlushes))
    let lines = run.disk.lines()
    #expect(lines.count { $0.hasPrefix("done ") } == 8, "\(lines)")
    let found = try await kind.checkedContent(of: directory)
    #expect(PossibleContent(kind, after: lines).contents == [found])
  }

  @Test func `fault 52: a database is refused where memory cannot be shared, with the command`()
    async throws
  {
    #expect(try FaultProbeRun(.sqlite, in: directory, steps: 0..<3).status == 0)
    let run = try FaultProbeRun(.sqlite, in: directory, steps: 3..<6, .lacking(.sharedMaps))
    let path = directory.storage.url.appending(path: "pantry.sqlite").path
    let refusal = StorageError.unsupportedFileSystem(path: path, lack: "shared memory maps")
    #expect(run.disk.lines() == ["refused: \(refusal)", "end"])
    let command = try #require("\(refusal)".split(separator: ": ").last.map { String($0) })
    #expect(command.hasPrefix("cp -a "))
    // What the command copies opens where memory can be shared.
    let copy = TemporaryDirectory(inMemory: true)
    let copied = try Subprocess.run(
      ["sh", "-c", command.replacing("DIRECTORY", with: "'\(copy.storage.url.path)'")],
      environment: ["PATH=/usr/bin:/bin"])
    #expect(copied.status == 0, "\(copied.output)")
    let found = try await FaultProbe.Kind.sqlite.checkedContent(of: copy)
    #expect(found == (try await FaultProbe.Kind.sqlite.checkedContent(of: directory)))
    #expect(!found.isEmpty)
  }

  @Test(arguments: [FaultProbe.Kind.sqlite, .disk])
  func `a storage is refused where nothing can be locked`(_ kind: FaultProbe.Kind) throws {
    let run = try FaultProbeRun(kind, in: directory, steps: 0..<3, .lacking(.locks))
    let place = directory.storage.url
    let path = kind == .sqlite ? place.appending(path: "pantry.sqlite").path : place.path
    let refusal = StorageError.unsupportedFileSystem(path: path, lack: "locks")
    #expect(run.disk.lines() == ["refused: \(refusal)", "end"])
  }
}
