import Foundation
import PandaTestSupport
import TerminalKit
import Testing

@testable import PandaSession

@Suite struct ChildProgramTests {
  @Test func `a program that exits reports its status or signal`() async {
    func ending(_ script: String) async -> ChildProgram.Ending {
      await ChildProgram(arguments: ["sh", "-c", script])
        .run(patience: .seconds(60), then: .kill)
    }
    #expect(await ending("exit 0") == .exited(0))
    #expect(await ending("exit 7") == .exited(7))
    #expect(await ending("kill -TERM $$") == .signalled(SIGTERM))
  }

  @Test func `a program that does not read its input does not block the writer`() async {
    let program = ChildProgram(arguments: ["true"], input: [UInt8](repeating: 7, count: 4_000_000))
    #expect(await program.run(patience: .seconds(60), then: .kill) == .exited(0))
  }

  @Test func `a program that hangs is killed after the timeout`() async throws {
    let directory = TemporaryDirectory()
    // It neither ends nor reads.
    let script = "echo $$ > $0/new; mv $0/new $0/pid; exec sleep 1000"
    let program = ChildProgram(
      arguments: ["sh", "-c", script, directory.path("")],
      input: [UInt8](repeating: 7, count: 4_000_000))
    #expect(await program.run(patience: .seconds(1), then: .kill) == .running)
    let process = try await number(in: directory.path("pid"))
    try await eventually("the child's end", deadline: .seconds(60)) { kill(process, 0) != 0 }
  }

  @Test func `a detached program is reaped when it exits`() async throws {
    let directory = TemporaryDirectory()
    let script = """
      echo $$ > $0/new; mv $0/new $0/pid
      while [ -d $0 ] && [ ! -e $0/go ]; do sleep 0.05; done
      """
    let program = ChildProgram(arguments: ["sh", "-c", script, directory.path("")])
    #expect(await program.run(patience: .milliseconds(1), then: .leave) == .running)
    let process = try await number(in: directory.path("pid"))
    #expect(kill(process, 0) == 0)
    try Data().write(to: URL(filePath: directory.path("go")))
    // A zombie would still have its number.
    try await eventually("the child's end", deadline: .seconds(60)) { kill(process, 0) != 0 }
  }

  @Test func `a program has a session of its own and no blocked or ignored signals`() async throws {
    let directory = TemporaryDirectory()
    let script = """
      cat /proc/self/status > "$0/status"
      cut -d' ' -f5,6 /proc/$$/stat > "$0/session"
      echo $$ >> "$0/session"
      """
    let program = ChildProgram(arguments: ["sh", "-c", script, directory.path("")])
    #expect(await program.run(patience: .seconds(60), then: .kill) == .exited(0))
    let status = try String(contentsOfFile: directory.path("status"), encoding: .utf8)
    #expect(status.contains("SigBlk:\t0000000000000000"))
    // Signals 32 and 33 are glibc's own, and posix_spawn(3) has every child ignore them.
    #expect(status.contains(/SigIgn:\t0000000[01]80000000|SigIgn:\t0000000000000000/))
    let session = try String(contentsOfFile: directory.path("session"), encoding: .utf8)
      .split { $0 == " " || $0 == "\n" }
    #expect(session.count == 3)
    #expect(Set(session).count == 1)
  }

  @Test func `programs are not looked for in the current directory`() async throws {
    let directory = TemporaryDirectory()
    let path = directory.path("tool")
    try "#!/bin/sh\n".write(toFile: path, atomically: true, encoding: .utf8)
    let folder = directory.url.path(percentEncoded: false)
    #expect(SearchPath(folder).program("tool") == nil)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    #expect(SearchPath("/nonexistent:\(folder)").program("tool") == "\(folder)/tool")
    #expect(SearchPath(":.:bin").program("tool") == nil)
    #expect(SearchPath(nil).program("sh") != nil)
    let program = ChildProgram(arguments: ["tool"], searchPath: SearchPath(""))
    #expect(await program.run(patience: .seconds(60), then: .kill) == .notFound)
  }

  private func number(in path: String) async throws -> pid_t {
    var number: pid_t?
    try await eventually("the child's number", deadline: .seconds(60)) {
      number = (FileManager.default.contents(atPath: path))
        .flatMap { pid_t(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)) }
      return number != nil
    }
    return try #require(number)
  }
}
