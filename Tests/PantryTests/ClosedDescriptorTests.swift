import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Pantry

/// Programs that are started without their standard descriptors: fault 88.
@MainActor
@Suite struct ClosedDescriptorTests {
  let directory = TemporaryDirectory()

  @Test(arguments: ["<&- >&- 2>&-", ">&- 2>&-", "<&- >&-", "2>&-"], ["sqlite", "disk"])
  func `fault 88: no file of ours gets the number of a closed standard descriptor`(
    _ closed: String, _ kind: String
  ) async throws {
    let place = directory.storage
    let engine: any StorageEngine =
      kind == "sqlite"
      ? try directory.engine() : try DiskStorageEngine(directory: place)
    let store = try await Store<Note>(storage: engine)
    let fifo = directory.path("fifo")
    mkfifo(fifo, 0o600)
    // It adds a note, and what it prints goes nowhere; it then reads a line, if it can.
    let program = try ChildProcess(
      "/bin/sh",
      [
        "-c", #"exec "$0" look "$1" "$2" \#(closed.contains("<") ? "" : #"< "$3""#) \#(closed)"#,
        BuildProducts.path(of: "PantryLiveProbe"), place.url.path, kind, fifo,
      ])
    let input = open(fifo, O_RDWR | O_CLOEXEC)
    defer { close(input) }
    try await eventually("the note is there") { store.items.map(\.id) == ["new"] }
    let numbers = "/proc/\(program.identifier)/fd"
    for descriptor in 0...2 where program.isRunning {
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "\(numbers)/\(descriptor)")
      guard let target else { continue }
      #expect(!target.contains(directory.url.lastPathComponent) || target.hasSuffix("/fifo"))
      #expect(!target.contains("inotify"))
    }
    _ = write(input, "\n", 1)
    #expect(program.waitForExit() == 0)
    #expect(try await engine.allKeys().map(\.rawValue) == ["new"])
    for name in try FileManager.default.subpathsOfDirectory(atPath: place.url.path) {
      let bytes = FileManager.default.contents(atPath: place.url.appending(path: name).path)
      #expect(bytes?.firstRange(of: Data("saved".utf8)) == nil, "\(name)")
    }
  }
}
