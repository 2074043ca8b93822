import Foundation
import PandaTestSupport
import Testing

/// The real program, used for long: what it opens it closes, and what it keeps does not grow.
@Suite(.timeLimit(.minutes(60))) struct LeakTests {
  /// The growth that counts as a leak, in bytes.
  ///
  /// The short form has room for what a busy machine has under way: the heap keeps it.
  private static let allowed = Torture.rounds(30, orTorture: 5) * 1_000_000

  let directory = TemporaryDirectory(inMemory: true)

  @Test func `fetches and pictures leave no descriptor and no memory behind`() async throws {
    let server = try PandaServer(pictures: ServedPictures.all())
    defer { server.stop() }
    let panda = try await start(source: server.endpoint.absoluteString)
    var presses = 0
    // Each fetch asks for a list and for a picture.
    func fetch(_ count: Int) async throws {
      for _ in 0..<count {
        presses += 1
        try panda.write("n")
        let wanted = 2 * presses
        try await server.server.wait { $0.requests >= wanted }
      }
      try await silence(panda)
    }
    try await fetch(Torture.rounds(30, orTorture: 1_000))
    let before = try await usage(of: panda)
    try await fetch(Torture.rounds(30, orTorture: 10_000))
    try await expect(panda, noMoreThan: before)
  }

  @Test func `keys and dialogs leave no descriptor and no memory behind`() async throws {
    let panda = try await start(source: "grove")
    try panda.write(" ")
    try await panda.waitForOutput(containing: "\u{2605}")
    // Help, the carousel, a filter, the sources; ESC [ 27 u is Esc as kitty sends it.
    let escape = "\u{1B}[27u"
    let keys =
      ["?", "j", "j", "k", escape, "\t", "h", "l", "\t"]
      + ["/", "a", "b", "\u{7F}", escape, "S", escape, "i", "i", "s", "s"]
    func type(_ count: Int) async throws {
      for _ in 0..<count / keys.count { try panda.write(keys.joined()) }
      try await silence(panda)
    }
    try await type(Torture.rounds(1_500, orTorture: 10_000))
    let before = try await usage(of: panda)
    try await type(Torture.rounds(1_500, orTorture: 50_000))
    try await expect(panda, noMoreThan: before)
  }

  // MARK: The program

  private func start(source: String) async throws -> PseudoTerminal {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--source", source, "--data-dir", directory.path("data")],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "COLORTERM=truecolor",
        "HOME=\(directory.path("home"))",
        // Each of glibc's arenas keeps what threads have freed in it: 6 MB in use may be 60 MB, as
        // the load has it. One arena has no room for that.
        "GLIBC_TUNABLES=glibc.malloc.arena_max=1",
      ], columns: 100, rows: 30)
    try await panda.waitForOutput(containing: "\u{1B}[c")
    try panda.write("\u{1B}[?62;22c")
    try await panda.waitForOutput(containing: "38;2;")
    return panda
  }

  /// Waits until nothing has been printed for half a second.
  private func silence(_ panda: PseudoTerminal) async throws {
    var (count, since) = (panda.outputCount, ContinuousClock.now)
    try await eventually("silence", deadline: .seconds(600)) {
      if panda.outputCount != count { (count, since) = (panda.outputCount, .now) }
      return since.duration(to: .now) > .milliseconds(500)
    }
  }

  private struct Usage {
    /// The private memory in bytes: RssAnon of /proc/PID/status (proc(5)).
    var memory: Int
    var descriptors: Int
  }

  private func usage(of panda: PseudoTerminal) async throws -> Usage {
    let process = "/proc/\(try await panda.processIdentifier())"
    let status = try String(contentsOfFile: "\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
    return Usage(
      memory: (Int(line.filter(\.isNumber)) ?? 0) * 1_024,
      descriptors: try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd").count)
  }

  /// Expects no growth once idle connections are closed.
  ///
  /// A few descriptors come with what is first used in between. A sanitizer keeps freed memory for
  /// a while, so under one only descriptors count.
  private func expect(_ panda: PseudoTerminal, noMoreThan before: Usage) async throws {
    var now = try await usage(of: panda)
    try await eventually(
      "no more than before", deadline: .seconds(60),
      seen: { "Before: \(before). Now: \(now)" }
    ) {
      now = try await usage(of: panda)
      return now.descriptors <= before.descriptors + 4
        && (Sanitizer.isOn || now.memory - before.memory < Self.allowed)
    }
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))
  }
}
