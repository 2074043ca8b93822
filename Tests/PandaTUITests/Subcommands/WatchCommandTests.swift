import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaShell
@testable import TerminalKit

@MainActor
@Suite struct WatchCommandTests {
  private let directory = TemporaryDirectory()

  /// A pipe whose lines are collected as they come.
  private final class Reader {
    let end: Int32
    private let source: Int32
    private(set) var text = ""

    init() throws {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw TestFailure("no pipe") }
      source = ends[0]
      end = ends[1]
      _ = fcntl(source, F_SETFL, O_NONBLOCK)
    }

    func lines() -> [String] {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(source, &buffer, buffer.count)
      if count > 0 { text += String(decoding: buffer[..<count], as: UTF8.self) }
      return text.split(separator: "\n").map(String.init)
    }

    func leave() { close(source) }
  }

  @Test func `each change of another process is a line, until the reader leaves`() async throws {
    let panda = CommandDriver(directory)
    try await panda.save(1)
    let reader = try Reader()
    signal(SIGPIPE, SIG_IGN)
    let output = Output(data: reader.end, words: open("/dev/null", O_WRONLY | O_CLOEXEC))
    let session = panda.session(output: output)
    guard case .run(_, .session(_, let body)) = try Invocation(arguments: ["watch", "--json"])
    else { throw TestFailure("watch needs no session") }
    let watching = Task { await session.run(body) }
    try await eventually("it is ready") { reader.lines().count == 1 }
    let id = try #require(try await panda.run("list", "--ids").lines.first)
    _ = try await panda.run("caption", id, "Asleep")
    try await eventually("the caption") { reader.lines().count == 2 }
    _ = try await panda.run("remove", id)
    try await eventually("the removal") { reader.lines().count == 3 }
    _ = try await panda.run("undo")
    try await eventually("the return") { reader.lines().count == 4 }
    let objects = try reader.lines().map {
      try JSONDecoder().decode([String: JSONMember].self, from: Data($0.utf8))
    }
    #expect(objects.map { $0["event"] } == ["ready", "changed", "removed", "added"])
    #expect(objects.map { $0["count"] } == [1, 1, 0, 1])
    guard case .object(let picture)? = objects[1]["picture"] else {
      throw TestFailure("no picture")
    }
    #expect(picture["id"] == .text(id) && picture["caption"] == "Asleep")
    reader.leave()
    #expect(await watching.value == .done)
    close(reader.end)
  }
}
