import Foundation
import PandaTestSupport
import Testing

/// The system calls of an add, counted by strace(1).
@Suite struct SystemCallTests {
  private static let isPossible =
    (try? Subprocess.run(["strace", "-o", "/dev/null", "/bin/true"], environment: []).status) == 0

  /// The calls of a process that adds `count` notes, in their order.
  private func calls(adding count: Int) throws -> [Substring] {
    let directory = TemporaryDirectory()
    let report = directory.path("report")
    let result = try Subprocess.run(
      [
        "strace", "-f", "-o", report, try BuildProducts.path(of: "PantryLiveProbe"), "write",
        directory.path("store"), "a", "\(count)",
      ], environment: ["HOME=\(directory.url.path)"])
    try #require(result.status == 0, "\(result.output)")
    return try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").compactMap {
      // 123 newfstatat(AT_FDCWD, "/tmp/store/pantry.sqlite", ...
      // What was resumed is not counted.
      let call = $0.drop { $0.isNumber }.drop { $0 == " " }
      return call.first?.isLetter == true ? call : nil
    }
  }

  /// The name of a call; its file, too, where only some calls of that name look at it.
  private func name(_ call: Substring) -> String {
    let name = String(call.prefix { $0 != "(" })
    guard name.contains("stat") else { return name }
    if call.contains("pantry.sqlite\"") { return "stat of the file" }
    return call.contains("pantry.sqlite-wal\"") ? "stat of the log" : name
  }

  @Test(.enabled(if: isPossible))
  func `an add makes 14 system calls, looks once at the file and its log, and flushes once`() throws
  {
    // From one flush to the next. Those that wake threads vary; now and then, a timer's come in.
    let adds = try calls(adding: 200).split { $0.hasPrefix("fdatasync") }.map { calls in
      calls.map(name).filter { name in
        !["futex", "epoll", "timerfd", "ioctl", "read", "write"].contains(where: name.hasPrefix)
      }.sorted()
    }
    // The first commits prepare what the others use.
    let usual = Dictionary(grouping: adds.dropFirst(50)) { $0 }.max {
      $0.value.count < $1.value.count
    }
    let one = try #require(usual?.key)
    // SQLite's own: the head and the page of two frames, the locks of its log's index, a flush.
    let sqlite = Array(repeating: "fcntl", count: 6) + Array(repeating: "pwrite64", count: 4)
    #expect(one == (sqlite + ["pwrite64", "stat of the file", "stat of the log"]).sorted())
  }
}
