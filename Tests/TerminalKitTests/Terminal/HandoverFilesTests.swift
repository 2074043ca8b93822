import Foundation
import PandaTestSupport
import Testing

@testable import TerminalKit

@Suite struct HandoverFilesTests {
  let directory = TemporaryDirectory(inMemory: true)

  func files(process: pid_t = getpid(), patience: Duration = .seconds(600)) -> HandoverFiles {
    HandoverFiles(
      in: directory.url.path(percentEncoded: false), process: process, patience: patience)
  }

  var names: Set<String> {
    get throws { try Set(FileManager.default.contentsOfDirectory(atPath: directory.path(""))) }
  }

  /// The id of a process that has ended.
  func endedProcess() throws -> pid_t {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/true")
    try process.run()
    process.waitUntilExit()
    return process.processIdentifier
  }

  @Test func `a file that the terminal leaves is removed after a time, by itself`() async throws {
    let files = files(patience: .zero)
    let path = try #require(files.write(Data("pixels".utf8)))
    // What a terminal may remove (kitty, "The kitty graphics protocol").
    #expect(path.contains("/tty-graphics-protocol-panda-\(getpid())-"))
    try await eventually("the file is gone") { try names.isEmpty }
  }

  @Test func `at the end of the program all are removed`() throws {
    let files = files()
    let paths = (0..<3).compactMap { _ in files.write(Data("pixels".utf8)) }
    #expect(paths.count == 3)
    unlink(paths[1])  // as the terminal does
    files.removeAll()
    #expect(try names.isEmpty)
  }

  @Test func `the next start removes those of processes that are gone, and nothing else`()
    throws
  {
    let ended = try endedProcess()
    let path = try #require(files(process: ended).write(Data("pixels".utf8)))
    // Another program's, one that says nothing about a process, and one of a process that runs.
    let others = [
      "tty-graphics-protocol-\(ended)-XXXXXX", "tty-graphics-protocol-panda-x",
      "tty-graphics-protocol-panda-\(getppid())-XXXXXX",
    ]
    for name in others { try Data().write(to: directory.url.appending(path: name)) }
    let now = time(nil)
    let files = files(patience: .seconds(10))
    // Its terminal may have yet to read it.
    files.removeAbandoned(at: now + 5)
    #expect(access(path, F_OK) == 0)
    files.removeAbandoned(at: now + 30)
    #expect(try names == Set(others))
    // By then no terminal waits, and the id may be another program's.
    files.removeAbandoned(at: now + 90)
    #expect(try names == Set(others.prefix(2)))
  }
}
