import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// A real file system without room: a tmpfs of three megabytes, in a namespace of its own.
@Suite struct FullDiskTests {
  /// Runs a script where it may mount what it likes; false where the system does not let it.
  private static func runs(_ script: String, _ arguments: [String] = []) -> (
    isWell: Bool, output: String
  ) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["unshare", "-rm", "sh", "-ec", script, "sh"] + arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return (false, "") }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus == 0, text)
  }

  private static let mayMount = runs("mount -t tmpfs -o size=64k tmpfs /mnt").isWell

  @Test(.enabled(if: mayMount))
  func `removing works on a full disk, and gives room for what is added next`() async throws {
    let directory = TemporaryDirectory()
    let (isWell, output) = Self.runs(
      "mount -t tmpfs -o size=3m tmpfs $1; exec $2 fill $1 Note",
      [directory.url.path, try BuildProducts.path(of: "PantryLiveProbe")])
    #expect(output.split(separator: "\n") == ["full", "removed", "emptied"])
    #expect(isWell)
  }
}
