import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Pantry

/// Pipes and directories in place of the files of a storage: fault 112.
@Suite struct NoPlainFileTests {
  private let directory = TemporaryDirectory()

  /// Has the probe open a storage, and returns what it says.
  private func look(_ place: URL, _ kind: String) throws -> String {
    let result = try Subprocess.run(
      [
        "timeout", "-s", "KILL", "60", BuildProducts.path(of: "PantryLiveProbe"), "look",
        place.path, kind,
      ], environment: ["PATH=/usr/bin:/bin"])
    #expect(result.status == 0, "\(result.output)")
    return result.output
  }

  @Test(arguments: ["sqlite", "disk", "value"])
  func `fault 112: nothing in place of a file is waited for, and it is reported`(_ kind: String)
    throws
  {
    let original = directory.url.appending(path: "original")
    #expect(try look(original, kind).contains("saved"))
    var names = try FileManager.default.subpathsOfDirectory(atPath: original.path).filter {
      FileManager.default.contents(atPath: original.appending(path: $0).path) != nil
    }
    if kind == "sqlite" { names += ["-wal", "-shm", "-journal"].map { "pantry.sqlite" + $0 } }
    #expect(!names.isEmpty)
    for (name, makes) in names.flatMap({ [($0, mkfifo), ($0, mkdir)] }) {
      let copy = directory.url.appending(path: UUID().uuidString)
      try FileManager.default.copyItem(at: original, to: copy)
      let file = copy.appending(path: name).path
      unlink(file)
      #expect(makes(file, 0o700) == 0)
      let said = try look(copy, kind)
      // A file of a value, or of an item, is set aside or reported with the items.
      let isTold = said.contains("\(file) ") || said.contains("\(file):")
      #expect(isTold || kind != "sqlite" && said.contains("saved"), "\(name): \(said)")
    }
  }
}
