import Foundation
import PandaTestSupport
import Testing

/// The system calls of an add, counted by strace(1).
@Suite struct SystemCallTests {
  private static let isPossible =
    (try? Subprocess.run(["strace", "-o", "/dev/null", "true"], environment: []).status) == 0

  /// The number of each call in a process that adds `count` notes, by its name.
  private func calls(adding count: Int) throws -> [String: Int] {
    let directory = TemporaryDirectory()
    let report = directory.path("report")
    let result = try Subprocess.run(
      [
        "strace", "-f", "-o", report, try BuildProducts.path(of: "PantryLiveProbe"), "write",
        directory.path("store"), "a", "\(count)",
      ], environment: ["HOME=\(directory.url.path)"])
    try #require(result.status == 0, "\(result.output)")
    var counts: [String: Int] = [:]
    for line in try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n") {
      // 123 newfstatat(AT_FDCWD, "/tmp/store/pantry.sqlite", ...
      // What was resumed is not counted.
      let call = line.drop { $0.isNumber }.drop { $0 == " " }
      guard let end = call.firstIndex(of: "(") else { continue }
      var name = String(call[..<end])
      if name.contains("stat"), call.contains("pantry.sqlite\"") { name = "stat of the file" }
      if name.contains("stat"), call.contains("pantry.sqlite-wal\"") { name = "stat of the log" }
      counts[name, default: 0] += 1
    }
    return counts
  }

  @Test(.enabled(if: isPossible))
  func `an add looks once at the file and at its log, and flushes once`() throws {
    // The first commits prepare what the others use.
    let (few, many) = (try calls(adding: 10), try calls(adding: 60))
    func each(_ name: String) -> Double {
      Double(many[name, default: 0] - few[name, default: 0]) / 50
    }
    #expect(each("stat of the file") == 1)
    #expect(each("stat of the log") == 1)
    #expect(each("statfs") == 1)
    #expect(each("fdatasync") == 1)
    // Its own events are held back meanwhile: each would wake a thread.
    #expect(each("inotify_add_watch") <= 2)
    // Four for the pages in the log, one for the notification; a timer's, now and then.
    #expect(each("pwrite64") <= 5)
    #expect(each("fcntl") <= 11)
  }
}
