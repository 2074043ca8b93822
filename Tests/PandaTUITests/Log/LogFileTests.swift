import Foundation
import PandaCore
import PandaTestSupport
import SystemSupport
import Testing

@testable import PandaSession

/// The file of the log: its lines, its size, its writers.
@Suite struct LogFileTests {
  private let directory = TemporaryDirectory()
  private var state: URL { directory.url.appending(path: "state/panda") }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test func `a line has time, level, area, process and sentence`() throws {
    let entry = Log.Entry(
      level: .error, area: .network, text: "No\u{1B}[2J\nGET \u{202E}x\u{0} \u{9B}31mend")
    let line = LogLine(
      entry, at: Date(timeIntervalSince1970: 1_795_377_784.125), process: 42)
    #expect(line.text == "2026-11-22T20:03:04.125Z error network [42] No[2J GET x 31mend")
  }

  @Test func `a secret cannot hide behind invisible characters, and a line has an end`() {
    let hidden = "http:/\u{200B}/user:SEC\u{FEFF}RET@zoo.example/a\u{2060}?SECRET"
    let entry = Log.Entry(
      level: .notice, area: .network, text: hidden + String(repeating: " wah", count: 10_000))
    let line = LogLine(entry, at: Date(), process: 1)
    #expect(line.text.contains("http://zoo.example/a…"))
    #expect(!line.text.contains("SEC"))
    #expect(line.text.count < LogLine.sentenceLimit + 100)
  }

  @Test func `the file is private to the user, and created with the first line`() {
    let log = WrittenLog(in: state)
    #expect(mode(log.file.path) == nil)
    log.log.notice(.program, "begins")
    #expect(mode(log.file.path) == 0o600)
    #expect(mode(state.path) == 0o700)
    #expect(log.lines.count == 1)
    #expect(log.lines[0].hasSuffix(" notice program [\(getpid())] begins"))
  }

  @Test func `a file that others could read is made private`() throws {
    let log = WrittenLog(in: directory.url)
    try Data("before\n".utf8).write(to: URL(filePath: log.file.path))
    try #require(chmod(log.file.path, 0o644) == 0)
    log.log.notice(.program, "after")
    #expect(mode(log.file.path) == 0o600)
    #expect(log.lines.count == 2 && log.lines[0] == "before")
  }

  @Test func `a disabled log formats no text`() {
    var isMade = false
    func text() -> String {
      isMade = true
      return ""
    }
    Log.off.error(.network, text())
    #expect(!isMade)
  }

  @Test func `above 1 MB the file restarts, and concurrent writers keep lines whole`()
    async throws
  {
    #expect(LogFile.standardLimit == 1_000_000)
    let (writers, count, limit) = (4, 250, 20_000)
    let logs = (0..<writers).map { _ in WrittenLog(in: state, limit: limit) }
    await withTaskGroup { group in
      for (writer, log) in logs.enumerated() {
        group.addTask { [log = log.log] in
          for number in 0..<count { log.notice(.storage, "w\(writer)n\(number) the whole line") }
        }
      }
    }
    let lines = logs[0].lines
    #expect(!lines.isEmpty && lines.allSatisfy { $0.hasSuffix(" the whole line") })
    #expect(logs.allSatisfy { $0.failures.isEmpty })
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.path) == ["panda.log"])
    let size = try FileManager.default.attributesOfItem(atPath: logs[0].file.path)[.size] as? Int
    // Each writer may have looked at the size before the others wrote.
    #expect(try #require(size) < limit + 1_000)
  }

  @Test func `a failed write is reported once, and logging resumes when possible`() throws {
    let log = WrittenLog(in: state)
    try FileManager.default.createDirectory(
      atPath: log.file.path, withIntermediateDirectories: true)
    log.log.notice(.program, "one")
    log.log.notice(.program, "two")
    #expect(log.failures == [FileError(.write, log.file.path, code: EISDIR)])
    try FileManager.default.removeItem(atPath: log.file.path)
    log.log.notice(.program, "three")
    #expect(log.lines.count == 1)
    #expect(log.failures.count == 1)
  }

  @Test func `no other file is written through a link or a pipe`() throws {
    let log = WrittenLog(in: directory.url)
    let other = directory.path("other")
    try Data().write(to: URL(filePath: other))
    try #require(symlink(other, log.file.path) == 0)
    log.log.notice(.program, "one")
    #expect(log.failures.map(\.code) == [ELOOP])
    try #require(unlink(log.file.path) == 0 && mkfifo(log.file.path, 0o600) == 0)
    // Without a reader this returns at once.
    log.log.notice(.program, "two")
    #expect(try Data(contentsOf: URL(filePath: other)).isEmpty)
    let place = WrittenLog(in: URL(filePath: other))
    place.log.notice(.program, "three")
    #expect(place.failures.map(\.code) == [ENOTDIR])
  }
}
